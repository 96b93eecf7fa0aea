// A page's connection to the lobby: what everybody sees there, and what concerns the player.

import type {
  ChallengeOver,
  FromLobby,
  Line,
  Lobby,
  LobbyUpdate,
  OpenChallenge,
  Paired,
  QuickGame,
  RunningMatch,
  ToLobby,
  WaitingCount,
  Waits,
  You,
  YourChallenge,
} from '../protocol/messages';
import { isText, newSecret, read, write } from '../browser/storage';
import { savedMatch, saveMade } from '../saved/matches.svelte';
import { makeGuest } from '../people/calls';
import { note } from '../people/me.svelte';
import { lineOf } from '../protocol/api';
import { LiveSocket, type Link } from '../protocol/socket';

const TAB = 'gonfalon.tab';
/** Name of this tab. Challenges stay while a page of the name is open. */
const PAGE = nameTab();
/** Delay before the page waits again after a lost connection. A match that was made meanwhile is announced earlier. */
const AGAIN_MS = 500;
const STRANGER: You = { type: 'you', known: false, name: '' };
const IDLE: Waits = { type: 'waits', game: '', host: false };

export class LobbyClient {
  link = $state<Link>('connecting');
  /** Whether the server has said what is in the lobby. */
  loaded = $state(false);
  games = $state.raw<readonly QuickGame[]>([]);
  waiting = $state.raw<Readonly<Record<string, WaitingCount>>>({});
  /** The open challenges. */
  challenges = $state.raw<readonly OpenChallenge[]>([]);
  /** The challenges by this person, and those for this person alone. */
  own = $state.raw<readonly YourChallenge[]>([]);
  running = $state.raw<readonly RunningMatch[]>([]);
  you = $state.raw(STRANGER);
  /** The quick game for which this page waits. It stays while the connection is lost. */
  waits = $state.raw(IDLE);
  refused = $state.raw<Line | null>(null);
  /** The last news about the player, to be spoken. */
  news = $state.raw<Line | null>(null);
  /** Match that has begun for the player, until the page shows it. `elsewhere`: another tab of this browser has opened
   * it already.
   */
  begun = $state.raw<{ match: string; elsewhere: boolean } | null>(null);

  private readonly socket: LiveSocket<FromLobby, ToLobby>;
  /** Act that waits until the server knows the person. */
  private kept: FromLobby | null = null;
  private again = 0;

  /** `announce`: called when a match begins for the player. */
  constructor(private readonly announce: (match: string) => void) {
    this.socket = new LiveSocket('/api/lobby/socket', {
      hello: () => ({ type: 'hello', window: PAGE }),
      message: (message) => this.receive(message),
      link: (link) => (this.link = link),
    });
  }

  // Getters, because a derived value would end with the screen that made it.
  get online(): boolean {
    return this.link === 'open';
  }
  /** Whether somebody may come: the player waits, has got a challenge, or has made one that stands while this page is
   * open.
   */
  get expects(): boolean {
    return (
      this.begun !== null ||
      this.waits.game !== '' ||
      this.own.some(({ challenge, mine }) => !mine || challenge.terms.clock?.kind !== 'correspondence')
    );
  }

  close(): void {
    clearTimeout(this.again);
    this.socket.close();
  }

  /** Send an act. Somebody without a session becomes a guest first. */
  async act(message: FromLobby): Promise<void> {
    this.refused = null;
    if (this.you.known) {
      this.send(message);
      return;
    }
    const first = this.kept === null;
    this.kept = message;
    if (!first) return;
    try {
      note(await makeGuest());
      this.socket.renew();
    } catch (error) {
      this.kept = null;
      this.refused = lineOf(error);
    }
  }

  readonly seek = (game: string): Promise<void> => this.act({ type: 'seek', game });

  readonly stop = (): void => {
    clearTimeout(this.again);
    this.refused = null;
    // The closed page waits no longer in any case.
    if (!this.socket.send({ type: 'stop-seeking' })) this.waits = IDLE;
  };

  private send(message: FromLobby): void {
    if (!this.socket.send(message)) this.refused = { code: 'no-server', args: {} };
  }

  private receive(message: ToLobby): void {
    switch (message.type) {
      case 'lobby':
        return this.begin(message);
      case 'lobby-update':
        return this.change(message);
      case 'you':
        return this.enter(message);
      case 'waits':
        return this.wait(message);
      case 'paired':
        return this.pair(message);
      case 'your-challenge':
        this.own = [...without(this.own, message.challenge.id), message];
        if (!message.mine) this.news = { code: 'challenged', args: { name: message.challenge.by } };
        return;
      case 'challenge-over':
        return this.end(message);
      case 'refused':
        this.refused = message.line;
        // The wait of before the lost connection is refused.
        if (this.again > 0) this.waits = IDLE;
        this.again = 0;
        return;
      case 'pong':
    }
  }

  private begin({ games, waiting, challenges, running }: Lobby): void {
    this.link = 'open';
    this.loaded = true;
    this.own = [];
    Object.assign(this, { games, waiting, challenges, running });
  }

  private change({ waiting = {}, added = [], removed = [], started = [], ended = [] }: LobbyUpdate): void {
    this.waiting = { ...this.waiting, ...waiting };
    this.challenges = changed(this.challenges, added, removed);
    this.running = [...changed(this.running, started, ended)].sort((a, b) => b.strength - a.strength);
  }

  private enter(you: You): void {
    this.you = you;
    // Another tab may have logged in or out.
    note({ name: you.name, guest: you.known && you.name === '' });
    const { kept } = this;
    this.kept = null;
    clearTimeout(this.again);
    this.again = 0;
    if (kept && you.known) this.send(kept);
    else if (kept) this.refused = { code: 'no-person', args: {} };
    else if (this.waits.game !== '' && you.known) {
      const { game } = this.waits;
      this.again = window.setTimeout(() => this.send({ type: 'seek', game }), AGAIN_MS);
    } else this.waits = IDLE;
  }

  private wait(waits: Waits): void {
    const before = this.waits.game;
    clearTimeout(this.again);
    this.again = 0;
    this.waits = waits;
    if (waits.game !== before) this.news = { code: waits.game === '' ? 'stopped' : 'waits', args: {} };
  }

  /** Save the seat in a new match. */
  private pair({ match, side, secret }: Paired): void {
    clearTimeout(this.again);
    this.waits = IDLE;
    this.news = { code: 'paired', args: {} };
    const elsewhere = savedMatch(match) !== undefined;
    if (!elsewhere)
      saveMade(
        { match, secrets: { [side]: secret }, invitations: {} },
        { variant: '', opponent: 'link', agent: '', here: [side] },
      );
    this.begun = { match, elsewhere };
    this.announce(match);
  }

  private end({ id, reason }: ChallengeOver): void {
    const over = this.own.find(({ challenge }) => challenge.id === id);
    this.own = without(this.own, id);
    if (!over || reason === 'accepted' || (over.mine && reason === 'taken-back')) return;
    const name = over.mine ? over.challenge.to : over.challenge.by;
    this.news = { code: over.mine ? reason : `theirs.${reason}`, args: { name } };
  }
}

/** Return the name of this tab, which it keeps when it is loaded anew. */
function nameTab(): string {
  const name = read('sessionStorage', TAB, isText, '') || newSecret();
  write('sessionStorage', TAB, name);
  return name;
}

const without = (own: readonly YourChallenge[], id: string): YourChallenge[] =>
  own.filter(({ challenge }) => challenge.id !== id);

/** Return a list after a change. It may add what is already there, or remove what is not. */
function changed<T extends { id: string }>(list: readonly T[], added: readonly T[], removed: readonly string[]): T[] {
  const all = new Map([...list, ...added].map((each) => [each.id, each]));
  for (const id of removed) all.delete(id);
  return [...all.values()];
}
