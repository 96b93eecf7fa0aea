// Movements on the board for one update, before its patch is applied. This file says how pieces move; a layout says at
// which event.

import type { Event, Scene, Token } from '../protocol/messages';

export interface Stage {
  /** Faces shown before the scene shows them, by token. */
  faces: Record<string, string>;
  /** Spaces that tokens lean towards, by token. */
  lean: Record<string, string>;
  /** Tokens that fall. */
  falling: string[];
  /** Raised tokens: a player looks at them. */
  raised: string[];
  /** Tokens that fight by a power, of either side. */
  held: string[];
  /** Tokens that their owner picks up. */
  gathered: string[];
  /** Faces of a revealed hand, by side. */
  hands: Record<string, string[]>;
  /** Event to say during its movement, because several happen in a row. */
  said?: Event;
}

export const STILL: Stage = { faces: {}, lean: {}, falling: [], raised: [], held: [], gathered: [], hands: {} };

/** Return a stage on which nothing moves any more, while the words on an event stay. */
export const stillSaying = (said: Event | undefined): Stage => (said ? { ...STILL, said } : STILL);

export const MOVE_MS = 200;
const LEAN_MS = 200;
const BEAT_MS = 650;
const FALL_MS = 260;
/** Pauses for reading a piece that only the viewer sees. The player may shorten each pause, so there are several. */
const READ_MS = [350, 350, 350, 350];

type Show = (stage: Stage) => void;
type Wait = (ms: number) => Promise<void>;

/** Plays the events of an update; resolves when the page may apply its patch. */
export type Play = (events: readonly Event[], scene: Scene, show: Show, wait: Wait) => Promise<void>;

/** Movement of an event. */
export type Movement = (event: Event, play: UpdateAnimation) => Promise<void> | void;

/** Movements by event code. */
export type Movements = Readonly<Record<string, Movement>>;

/** The movements of one update. */
export class UpdateAnimation {
  /** Attacker of the last event that named one. */
  attacker: Token | undefined;
  /** Whether the attacker fights by a power. Then several battles may follow, each from its own space. */
  power = false;
  /** Whether an event showed something to the viewer alone. */
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

  /** Return the token on which an event has its effect. */
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

  /** `said`: event that caused the fall. */
  fall(tokens: readonly (Token | undefined)[], said?: Event): void {
    const ids = tokens.flatMap((token) => token?.id ?? []);
    this.put((stage) => ({ falling: [...stage.falling, ...ids], ...(said && { said }) }));
  }
}

export async function animate(
  movements: Movements,
  events: readonly Event[],
  ...[scene, show, wait]: [Scene, Show, Wait]
): Promise<void> {
  const play = new UpdateAnimation(scene, show, wait);
  for (const event of events) await movements[event.code]?.(event, play);
  if (play.toRead) for (const ms of READ_MS) await wait(ms);
}

const text = (event: Event, key: string): string => {
  const value = event.args?.[key];
  return typeof value === 'string' ? value : '';
};

/** The attacker leans towards its target, and the status says who attacks. */
export const lean: Movement = async (event, play) => {
  play.attacker = play.at(text(event, 'from'));
  await leanTo(text(event, 'to'), play, { said: event });
};

async function leanTo(space: string, play: UpdateAnimation, more: Partial<Stage> = {}): Promise<void> {
  const { attacker } = play;
  play.put(({ lean }) => ({ lean: attacker ? { ...lean, [attacker.id]: space } : lean, ...more }));
  await play.wait(LEAN_MS);
}

/** A piece fights by a power. It stands out until the end, and the status gives the reason. If the power comes from
 * another piece, `from` names that piece's space and `face` its shown face.
 */
export const usePower =
  (from = '', face = ''): Movement =>
  async (event, play) => {
    const source = play.at(text(event, from));
    play.attacker = play.at(text(event, 'space'));
    play.power = true;
    if (source) play.turn({ [source.id]: face });
    const held = play.attacker ? [play.attacker.id] : [];
    play.put((stage) => ({ held, raised: source ? [...stage.raised, source.id] : stage.raised, said: event }));
    for (const ms of READ_MS) await play.wait(ms);
  };

/** A piece is shown for `ms`. */
const turnUp =
  (ms: number): Movement =>
  async (event, play) => {
    const token = play.target(event);
    if (!token) return;
    play.turn({ [token.id]: text(event, 'face') });
    await play.wait(ms);
  };

export const reveal = turnUp(BEAT_MS / 2);

/** A piece is shown and raised. The raise is for its own side, which already sees the face. */
export const expose: Movement = async (event, play) => {
  const token = play.target(event);
  if (token) play.put((stage) => ({ raised: [...stage.raised, token.id] }));
  await reveal(event, play);
};

/** A piece is shown to the viewer alone. */
export const see: Movement = async (event, play) => {
  play.toRead = true;
  await turnUp(LEAN_MS)(event, play);
};

/** A card of a hand is shown to the viewer alone. */
export const seeHand: Movement = (event, play) => {
  const side = text(event, 'side');
  play.toRead = true;
  play.put(({ hands }) => ({ hands: { ...hands, [side]: [...(hands[side] ?? []), text(event, 'face')] } }));
};

/** The viewer alone learns that there is nothing to see. */
export const seeNothing: Movement = (_, play) => {
  play.toRead = true;
};

/** A piece is shown and falls. */
export const hit: Movement = async (event, play) => {
  const token = play.target(event);
  if (!token) return;
  await turnUp(BEAT_MS)(event, play);
  play.fall([token]);
  await play.wait(FALL_MS);
};

export type Fighter = 'attacker' | 'defender';

/** Losers by the event that ends a battle: attacker, defender or both. */
export type Fallen = Readonly<Record<string, readonly Fighter[]>>;

/** Show both pieces of a battle, as far as the viewer may see them. The losers fall, then the status gives the result.
 */
const fight =
  (losers: readonly Fighter[]): Movement =>
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

/** End a battle by a power: the fighter goes back, and the viewer gets time to read the result. */
async function standBack(play: UpdateAnimation): Promise<void> {
  play.put(() => ({ lean: {} }));
  await play.wait(BEAT_MS);
}

export const fights = (fallen: Fallen): Movements =>
  Object.fromEntries(Object.entries(fallen).map(([code, losers]) => [code, fight(losers)]));

/** Raise the pieces in an event's list, in addition to the event's own piece. */
export const raise: Movement = async ({ args = {} }, play) => {
  const single = Object.keys(args)
    .filter((key) => key.endsWith('_space'))
    .map((key) => args[key]);
  const several = Array.isArray(args.spaces) ? args.spaces : [];
  const ids = [...single, ...several].flatMap((space) => play.at(String(space))?.id ?? []);
  play.put((stage) => ({ raised: [...stage.raised, ...ids] }));
  await play.wait(LEAN_MS);
};

/** A side picks up all its pieces. */
export const gather: Movement = async (event, play) => {
  const side = text(event, 'side');
  play.put(() => ({ gathered: play.scene.tokens.filter((token) => token.side === side).map(({ id }) => id) }));
  await play.wait(FALL_MS);
};
