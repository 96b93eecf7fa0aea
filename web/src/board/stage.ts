// What moves on the board for one update, before its patch is applied. Here is how something moves; at which event it
// does, a layout says of its own games.

import type { Event, Scene, Token } from '../protocol/messages';

export interface Stage {
  /** Faces shown early, by token: a banner that turns. */
  faces: Record<string, string>;
  /** Tokens that lean towards a space. */
  lean: Record<string, string>;
  /** Tokens that fall. */
  falling: string[];
  /** Tokens that somebody looks at. */
  raised: string[];
  /** Tokens that fight by a power, their own side's or another's. */
  held: string[];
  /** Tokens that are taken up by their owner. */
  gathered: string[];
  /** Faces of a hand that is being shown, by side. */
  hands: Record<string, string[]>;
  /** What is happening just now, to be said while it does: several things happen in a row. */
  said?: Event;
}

export const STILL: Stage = { faces: {}, lean: {}, falling: [], raised: [], held: [], gathered: [], hands: {} };

export const MOVE_MS = 200;
const LEAN_MS = 200;
const BEAT_MS = 650;
const FALL_MS = 260;
/** What was shown to the viewer alone stays long enough to be read; waits may be shortened, so it is several. */
const READ_MS = [350, 350, 350, 350];

type Show = (stage: Stage) => void;
type Wait = (ms: number) => Promise<void>;

/** Plays the events of an update; resolves when its patch may be applied. */
export type Play = (events: readonly Event[], scene: Scene, show: Show, wait: Wait) => Promise<void>;

/** What moves at an event. */
export type Act = (event: Event, play: Performance) => Promise<void> | void;

/** Acts by the code of their event. */
export type Acts = Readonly<Record<string, Act>>;

/** The events of one update as they are played. */
export class Performance {
  /** Who fights, since the last event that said so. */
  attacker: Token | undefined;
  /** It fights by a power: several battles may follow, each from where it stands. */
  power = false;
  /** Something was shown to the viewer alone. */
  toRead = false;
  private stage = STILL;
  private readonly board: ReadonlyMap<string, Token>;

  constructor(
    readonly scene: Scene,
    private readonly show: Show,
    readonly wait: Wait,
  ) {
    this.board = new Map(scene.tokens.map((token) => [token.place, token]));
  }

  at(space: string): Token | undefined {
    return this.board.get(space);
  }

  /** The token that an event happens to. */
  target(event: Event): Token | undefined {
    return this.at(text(event, 'to') || text(event, 'space'));
  }

  put(change: (stage: Stage) => Partial<Stage>): void {
    this.stage = { ...this.stage, ...change(this.stage) };
    this.show(this.stage);
  }

  turn(faces: Record<string, string>): void {
    this.put((stage) => ({ faces: { ...stage.faces, ...faces } }));
  }

  /** `said`: how that came about. */
  fall(tokens: readonly (Token | undefined)[], said?: Event): void {
    const ids = tokens.flatMap((token) => token?.id ?? []);
    this.put((stage) => ({ falling: [...stage.falling, ...ids], ...(said && { said }) }));
  }
}

export async function perform(
  acts: Acts,
  events: readonly Event[],
  ...[scene, show, wait]: [Scene, Show, Wait]
): Promise<void> {
  const play = new Performance(scene, show, wait);
  for (const event of events) await acts[event.code]?.(event, play);
  if (play.toRead) for (const ms of READ_MS) await wait(ms);
}

const text = (event: Event, key: string): string => {
  const value = event.args?.[key];
  return typeof value === 'string' ? value : '';
};

/** The attacker leans towards its target, and it is said who attacks what. */
export const lean: Act = async (event, play) => {
  play.attacker = play.at(text(event, 'from'));
  await leanTo(text(event, 'to'), play, { said: event });
};

async function leanTo(space: string, play: Performance, more: Partial<Stage> = {}): Promise<void> {
  const { attacker } = play;
  play.put(({ lean }) => ({ lean: attacker ? { ...lean, [attacker.id]: space } : lean, ...more }));
  await play.wait(LEAN_MS);
}

/** A power makes a piece fight: it stands out until all is over, and it is said what is going on. Where the power comes
 * from a piece of its own, `from` names its space and `face` what it is shown to be.
 */
export const usePower =
  (from = '', face = ''): Act =>
  async (event, play) => {
    const source = play.at(text(event, from));
    play.attacker = play.at(text(event, 'space'));
    play.power = true;
    if (source) play.turn({ [source.id]: face });
    const held = play.attacker ? [play.attacker.id] : [];
    play.put((stage) => ({ held, raised: source ? [...stage.raised, source.id] : stage.raised, said: event }));
    for (const ms of READ_MS) await play.wait(ms);
  };

/** A piece is shown, for `ms`. */
const turnUp =
  (ms: number): Act =>
  async (event, play) => {
    const token = play.target(event);
    if (!token) return;
    play.turn({ [token.id]: text(event, 'face') });
    await play.wait(ms);
  };

export const reveal = turnUp(BEAT_MS / 2);

/** A piece is shown, and rises: its own side sees no other face. */
export const expose: Act = async (event, play) => {
  const token = play.target(event);
  if (token) play.put((stage) => ({ raised: [...stage.raised, token.id] }));
  await reveal(event, play);
};

/** A piece is shown to the viewer alone. */
export const see: Act = async (event, play) => {
  play.toRead = true;
  await turnUp(LEAN_MS)(event, play);
};

/** A card of a hand is shown to the viewer alone. */
export const seeHand: Act = (event, play) => {
  const side = text(event, 'side');
  play.toRead = true;
  play.put(({ hands }) => ({ hands: { ...hands, [side]: [...(hands[side] ?? []), text(event, 'face')] } }));
};

/** The viewer alone learns that there is nothing to see. */
export const seeNothing: Act = (_, play) => {
  play.toRead = true;
};

/** A piece is shown, and falls. */
export const hit: Act = async (event, play) => {
  const token = play.target(event);
  if (!token) return;
  await turnUp(BEAT_MS)(event, play);
  play.fall([token]);
  await play.wait(FALL_MS);
};

export type Fighter = 'attacker' | 'defender';

/** Who falls, by the event that says how a battle ended. */
export type Fallen = Readonly<Record<string, readonly Fighter[]>>;

/** Both pieces of a battle are shown as far as the viewer sees them, and the losers fall: then it is said how it ended.
 */
const fight =
  (losers: readonly Fighter[]): Act =>
  async (event, play) => {
    if (text(event, 'attacker_face') === '') return;
    const fighters = { attacker: play.attacker, defender: play.target(event) };
    const shown = (['attacker', 'defender'] as const).flatMap((fighter) => {
      const [token, face] = [fighters[fighter], text(event, `${fighter}_face`)];
      return token && face !== '' ? [[token.id, face]] : [];
    });
    play.turn(Object.fromEntries(shown) as Record<string, string>);
    if (play.power) await leanTo(text(event, 'space'), play);
    await play.wait(BEAT_MS);
    play.fall(
      losers.map((fighter) => fighters[fighter]),
      event,
    );
    await play.wait(FALL_MS);
    if (play.power) await standBack(play);
  };

/** The battle of a power is over: its fighter stands where it stood, and there is time to read how it ended. */
async function standBack(play: Performance): Promise<void> {
  play.put(() => ({ lean: {} }));
  await play.wait(BEAT_MS);
}

export const fights = (fallen: Fallen): Acts =>
  Object.fromEntries(Object.entries(fallen).map(([code, losers]) => [code, fight(losers)]));

/** The pieces that an event names besides its own are looked at. */
export const raise: Act = async ({ args = {} }, play) => {
  const single = Object.keys(args)
    .filter((key) => key.endsWith('_space'))
    .map((key) => args[key]);
  const several = Array.isArray(args.spaces) ? args.spaces : [];
  const ids = [...single, ...several].flatMap((space) => play.at(String(space))?.id ?? []);
  play.put((stage) => ({ raised: [...stage.raised, ...ids] }));
  await play.wait(LEAN_MS);
};

/** A side takes up all its pieces. */
export const gather: Act = async (event, play) => {
  const side = text(event, 'side');
  play.put(() => ({ gathered: play.scene.tokens.filter((token) => token.side === side).map(({ id }) => id) }));
  await play.wait(FALL_MS);
};
