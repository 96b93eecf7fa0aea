// Tells the player that it is their turn while the page is hidden.

import { untrack } from 'svelte';
import { settings } from '../../browser/settings.svelte';
import { isolate } from '../../words/wording';
import type { Words } from '../../words/words.svelte';
import type { MatchState } from '../state.svelte';

/** Announce the turn while the component lives: by the tab's title, and by a notification if the player wants one and
 * plays by link.
 */
export function announceTurn(shown: () => MatchState, { list, t }: Words, byLink: () => boolean): void {
  const match = $derived(shown());
  const variant = $derived(match.info?.variant);
  const game = $derived(variant === undefined ? '' : t(`game.${variant}.title`));
  const opponent = $derived(match.side === '' ? '' : list(match.opponents.map(isolate)));
  const name = $derived(opponent === '' || game === '' ? game : t('match.against', { name: game, opponent }));
  const call = $derived(byLink() && settings.notify === 'on' ? t('notify.turn', { name }) : '');
  $effect(() => {
    if (name === '') return;
    document.title = t(match.ending ? 'page.title-over' : match.myTurn ? 'page.title-turn' : 'page.title-of', { name });
  });
  $effect(() => (call === '' ? undefined : untrack(() => callWhenDue(match, call))));
}

/** Notify the player until the caller calls the returned function. Notifications are loaded on demand. */
function callWhenDue(match: MatchState, words: string): () => void {
  let stop = (): void => {};
  let over = false;
  void import('../../browser/notify').then(({ TurnNotifier }) => {
    if (over) return;
    const notifier = new TurnNotifier(match.id);
    let due = match.myTurn;
    const end = $effect.root(() => {
      $effect(() => {
        const now = match.myTurn && match.ending === null;
        if (now && !due) notifier.tell(words);
        if (!now) notifier.end();
        due = now;
      });
    });
    stop = () => {
      end();
      notifier.close();
    };
  });
  return () => {
    over = true;
    stop();
  };
}
