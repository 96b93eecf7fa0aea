// What moves on the board for one update, before its patch is applied. It reads the shape of events (who attacks from
// where, which faces met on which space), not the rules behind them.

import type { Event, Scene, Token } from './messages';

export interface Stage {
  /** Faces shown early, by token: a banner that turns. */
  faces: Record<string, string>;
  /** Tokens that lean towards a space. */
  lean: Record<string, string>;
  /** Tokens that fall. */
  falling: string[];
  /** Tokens that somebody looks at. */
  raised: string[];
  /** Tokens that are taken up by their owner. */
  gathered: string[];
  /** Faces of a hand that is being shown, by side. */
  hands: Record<string, string[]>;
}

export const STILL: Stage = { faces: {}, lean: {}, falling: [], raised: [], gathered: [], hands: {} };

export const MOVE_MS = 200;
const LEAN_MS = 200;
const BEAT_MS = 650;
const FALL_MS = 260;
/** What was shown to the viewer alone stays long enough to be read; waits may be shortened, so it is several. */
const READ_MS = [350, 350, 350, 350];

/** More in one step is a whole deployment, which its owner has just made himself. */
const MOST_PLACED = 6;
/** What a player does on the way to a choice is told while he does it; the choice itself tells it again. */
const ON_THE_WAY = new Set(['aimed', 'put-back']);

/** The events to put into words. */
export function worthTelling(events: readonly Event[]): Event[] {
  const placed = events.filter(({ code }) => code === 'placed').length;
  return placed > MOST_PLACED ? events.filter(({ code }) => code !== 'placed') : [...events];
}

export const isOnTheWay = ({ code }: Event): boolean => ON_THE_WAY.has(code);

/** Those of them that are to be read later. */
export const worthKeeping = (events: readonly Event[]): Event[] =>
  worthTelling(events).filter((event) => !isOnTheWay(event));

type Show = (stage: Stage) => void;
type Wait = (ms: number) => Promise<void>;

const text = (event: Event, key: string): string => {
  const value = event.args?.[key];
  return typeof value === 'string' ? value : '';
};

/** Plays the battles of an update; resolves when its patch may be applied. */
export type Play = (events: readonly Event[], scene: Scene, show: Show, wait: Wait) => Promise<void>;

export const play: Play = async (events, scene, show, wait) => {
  const board = new Map(scene.tokens.map((token) => [token.place, token]));
  let stage = STILL;
  let attacker: Token | undefined;
  const put = (change: Partial<Stage>) => show((stage = { ...stage, ...change }));
  for (const event of events) {
    const defender = board.get(text(event, 'to') || text(event, 'space'));
    if (event.code === 'attacked') {
      attacker = board.get(text(event, 'from'));
      if (attacker) put({ lean: { ...stage.lean, [attacker.id]: text(event, 'to') } });
      await wait(LEAN_MS);
    } else if (event.code === 'sword' || event.code === 'apple') {
      attacker = board.get(text(event, 'space'));
    } else if (event.code === 'revealed' && defender) {
      put({ faces: { ...stage.faces, [defender.id]: text(event, 'face') } });
      await wait(BEAT_MS / 2);
    } else if (event.code === 'hit' && defender) {
      put({ faces: { ...stage.faces, [defender.id]: text(event, 'face') } });
      await wait(BEAT_MS);
      put({ falling: [...stage.falling, defender.id] });
      await wait(FALL_MS);
    } else if (event.code.startsWith('battle-') && text(event, 'attacker_face') !== '') {
      put({ faces: { ...stage.faces, ...facesOf(event, attacker, defender) } });
      await wait(BEAT_MS);
      put({ falling: [...stage.falling, ...losers(event.code, attacker, defender)] });
      await wait(FALL_MS);
    } else if (event.code.startsWith('looked') || event.code === 'regrouped') {
      put({ raised: [...stage.raised, ...named(event, board)] });
      await wait(LEAN_MS);
    } else if (event.code === 'saw' && defender) {
      put({ faces: { ...stage.faces, [defender.id]: text(event, 'face') } });
      await wait(LEAN_MS);
    } else if (event.code === 'saw-hand') {
      const side = text(event, 'side');
      put({ hands: { ...stage.hands, [side]: [...(stage.hands[side] ?? []), text(event, 'face')] } });
    } else if (event.code === 'trick') {
      put({ gathered: scene.tokens.filter(({ side }) => side === text(event, 'side')).map(({ id }) => id) });
      await wait(FALL_MS);
    }
  }
  if (events.some(({ code }) => code.startsWith('saw'))) for (const ms of READ_MS) await wait(ms);
};

/** The tokens on the spaces that an event names besides its own. */
function named(event: Event, board: ReadonlyMap<string, Token>): string[] {
  const args = event.args ?? {};
  const single = Object.keys(args)
    .filter((key) => key.endsWith('_space'))
    .map((key) => text(event, key));
  const several = Array.isArray(args.spaces) ? args.spaces.map(String) : [];
  return [...single, ...several].map((space) => board.get(space)?.id ?? '');
}

function facesOf(event: Event, attacker?: Token, defender?: Token): Record<string, string> {
  const faces: Record<string, string> = {};
  if (attacker && text(event, 'attacker_face')) faces[attacker.id] = text(event, 'attacker_face');
  if (defender && text(event, 'defender_face')) faces[defender.id] = text(event, 'defender_face');
  return faces;
}

function losers(code: string, attacker?: Token, defender?: Token): string[] {
  const lost = [
    code === 'battle-won' ? undefined : attacker,
    code === 'battle-won' || code === 'battle-both' ? defender : undefined,
  ];
  return lost.filter((token) => token !== undefined).map((token) => token.id);
}
