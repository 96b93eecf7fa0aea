// Standings of the matches of this browser. A list shows what it knew last at once, and then what the server says.

import { ownRunning, standings } from '../protocol/api';
import { hasSession } from '../people/me.svelte';
import type { Standing } from '../protocol/messages';
import { changeMatch, endOf, factsOf, savedMatches, saveOwned, type SavedMatch } from './matches.svelte';

/** Maximum number of seats in one question. */
const MOST_SEATS = 40;
const AGAIN_MS = 30_000;

const secretOf = ({ secrets, mine }: SavedMatch): string => secrets[mine] ?? Object.values(secrets)[0] ?? '';

/** Return whether somebody at this device has to act. */
export const isDue = ({ ended, gone, due, here }: SavedMatch): boolean =>
  !ended && !gone && due.some((side) => here.includes(side));

/** Return the time of the last step, or of the beginning. */
export const lastTime = ({ moved, created }: SavedMatch): number => moved || created;

/** Return the deadline of a decision that somebody at this device has to make; infinite if there is none. */
const ownDeadline = (match: SavedMatch): number => (isDue(match) && match.deadline) || Infinity;

/** Return matches in the order of a list: first those in which it is the player's turn, by their deadlines, then the
 * latest.
 */
export const inTurn = (matches: readonly SavedMatch[]): SavedMatch[] =>
  [...matches].sort((a, b) => {
    const [first, second] = [ownDeadline(a), ownDeadline(b)];
    const byDeadline = first === second ? 0 : first - second;
    return Number(isDue(b)) - Number(isDue(a)) || byDeadline || lastTime(b) - lastTime(a);
  });

/** Return the number of matches in which people elsewhere wait for somebody at this device. */
export const countWaiting = (matches: readonly SavedMatch[]): number =>
  matches.filter((match) => isDue(match) && (match.opponent === 'link' || match.opponent === 'mixed')).length;

/** Matches that wait for the player, as far as the present screen asks for them; the page's title says their number. */
export const waiting = $state({ count: 0 });

/** The matches of this browser. */
export class OwnMatches {
  all = $state.raw(savedMatches());

  readonly running = $derived(inTurn(this.all.filter(({ ended }) => !ended)));
  readonly over = $derived(inTurn(this.all.filter(({ ended }) => ended)));
  /** Matches to go on with. A match that was made by one click and never played is not among them. */
  readonly open = $derived(this.running.filter(({ gone, acted, quick }) => !gone && (acted || !quick)));

  reload(): void {
    this.all = savedMatches();
  }

  /** Ask the server now, and again at intervals while the page is in sight. Return a function that ends this. */
  follow(): () => void {
    const look = (): void => {
      if (!document.hidden) void this.ask();
    };
    const reload = (): void => this.reload();
    const timer = setInterval(look, AGAIN_MS);
    document.addEventListener('visibilitychange', look);
    addEventListener('storage', reload);
    void this.ask();
    const end = $effect.root(() => {
      $effect(() => void (waiting.count = countWaiting(this.all)));
    });
    return () => {
      end();
      waiting.count = 0;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('storage', reload);
    };
  }

  /** Ask the server how the matches stand. If that fails, the list stays as it is. */
  async ask(): Promise<void> {
    const asked = savedMatches().filter((match) => !match.settled && secretOf(match) !== '');
    for (let first = 0; first < asked.length; first += MOST_SEATS) {
      const part = asked.slice(first, first + MOST_SEATS);
      try {
        take(part, await standings(part.map((match) => ({ match: match.id, secret: secretOf(match) }))));
      } catch {
        return;
      }
      this.reload();
    }
    if (hasSession()) await this.askOwned();
  }

  /** Ask for the running matches of the account or guest. Those that are not among them any more have ended. */
  private async askOwned(): Promise<void> {
    try {
      const told = await ownRunning();
      for (const { match, side } of told) saveOwned(match.id, match.variant, side);
      for (const match of savedMatches().filter((each) => !each.settled && secretOf(each) === '')) {
        const standing = told.find(({ match: { id } }) => id === match.id);
        changeMatch(match.id, standing ? changesOf(match, standing) : { ended: true, settled: true });
      }
      this.reload();
    } catch {
      // The list stays as it is.
    }
  }
}

/** Save the answer to a question about `asked`. */
function take(asked: readonly SavedMatch[], told: readonly Standing[]): void {
  for (const match of asked) {
    const standing = told.find(({ match: { id } }) => id === match.id);
    if (standing) changeMatch(match.id, { gone: false, ...changesOf(match, standing) });
    else changeMatch(match.id, { gone: true, settled: match.ended });
  }
}

function changesOf(
  match: SavedMatch,
  { match: info, side, due, moved, ending, deadline }: Standing,
): Partial<SavedMatch> {
  const here = match.here.length > 0 ? match.here : [side];
  const end = ending ? { ...endOf(ending), settled: true } : {};
  return {
    here,
    mine: match.mine || (here.length > 1 ? '' : side),
    due,
    moved,
    deadline,
    ...factsOf({ here }, info),
    ...end,
  };
}
