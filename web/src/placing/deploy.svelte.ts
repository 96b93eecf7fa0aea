// A deployment in progress: the face on each place, and the held piece. Nothing leaves the page before "Ready".

import { SvelteMap } from 'svelte/reactivity';
import { army } from './deployments';
import type { Deploying } from '../board/layout';
import type { Arrange, Board } from '../protocol/messages';

export type Held = { kind: 'face'; face: string } | { kind: 'place'; place: string } | null;

/** Number of changes to keep for undo. */
const MOST_KEPT = 60;

export class Deployer {
  at = new SvelteMap<string, string>();
  held = $state.raw<Held>(null);
  readonly places: Set<string>;
  /** Faces by place before each change, oldest first. */
  private past = $state.raw<readonly ReadonlyMap<string, string>[]>([]);
  readonly canUndo = $derived.by(() => this.past.length > 0);
  private readonly total: Map<string, number>;

  readonly left = $derived.by(() => {
    const left = new Map(this.total);
    for (const face of this.at.values()) left.set(face, (left.get(face) ?? 0) - 1);
    return left;
  });
  readonly missing = $derived.by(() => this.wanted - this.at.size);
  readonly complete = $derived(this.missing === 0);
  /** Number of places to fill. There may be more pieces than this, and places that must stay empty. */
  private readonly wanted: number;

  constructor(
    readonly arrange: Arrange,
    private readonly board: Board,
    private readonly ways: Deploying,
  ) {
    this.places = new Set(arrange.places);
    this.total = army(arrange);
    this.wanted = arrange.places.length - (this.total.get('') ?? 0);
  }

  /** Return the number of pieces of a face. */
  count(face: string): number {
    return this.total.get(face) ?? 0;
  }

  /** Kinds of piece in the army's order, without the empty one. */
  get kinds(): string[] {
    return this.arrange.pieces.map((piece) => piece.face).filter((face) => face !== '');
  }

  pickFace(face: string): void {
    const same = this.held?.kind === 'face' && this.held.face === face;
    if (this.held?.kind === 'place') this.takeBack(this.held.place);
    this.held = same || (this.left.get(face) ?? 0) <= 0 ? null : { kind: 'face', face };
    // If there is only one place, the player need not choose it.
    const [only = ''] = this.arrange.places;
    if (this.held && this.places.size === 1) this.putFace(face, only);
  }

  /** Take a press on a place: put the held piece down, swap, or pick up. Return whether that was possible. */
  pickPlace(place: string): boolean {
    const { held } = this;
    if (!this.places.has(place)) return false;
    if (!held) {
      if (!this.at.has(place)) return false;
      this.held = { kind: 'place', place };
    } else if (held.kind === 'face') this.putFace(held.face, place);
    else this.move(held.place, place);
    return true;
  }

  putFace(face: string, place: string): void {
    if (!this.places.has(place) || (this.left.get(face) ?? 0) <= 0) return;
    if (this.complete && !this.at.has(place)) return;
    this.keep();
    this.at.set(place, face);
    // Hold the same face again if more of it are left: an army has many equal pieces, placed one after the other. A
    // hand has few.
    const more = !this.ways.fromHand && !this.complete && (this.left.get(face) ?? 0) > 0;
    this.held = more ? { kind: 'face', face } : null;
  }

  /** Move the piece on `from` to `to`; a piece on `to` moves to `from`. */
  move(from: string, to: string): void {
    this.held = null;
    const face = this.at.get(from);
    if (face === undefined || from === to || !this.places.has(to)) return;
    this.keep();
    const other = this.at.get(to);
    if (other === undefined) this.at.delete(from);
    else this.at.set(from, other);
    this.at.set(to, face);
  }

  takeBack(place: string): boolean {
    this.held = null;
    if (this.at.has(place)) this.keep();
    return this.at.delete(place);
  }

  clear(): void {
    this.set(new Map());
  }

  /** Return whether exactly these pieces lie on these places. */
  holds(at: ReadonlyMap<string, string>): boolean {
    return at.size === this.at.size && [...at].every(([place, face]) => this.at.get(place) === face);
  }

  set(at: ReadonlyMap<string, string>): void {
    this.keep();
    this.replace(at);
  }

  /** Undo the last change. Return whether there was one. */
  undo(): boolean {
    const before = this.past.at(-1);
    if (!before) return false;
    this.past = this.past.slice(0, -1);
    this.replace(before);
    return true;
  }

  private keep(): void {
    this.past = [...this.past, new Map(this.at)].slice(-MOST_KEPT);
  }

  private replace(at: ReadonlyMap<string, string>): void {
    this.at.clear();
    this.held = null;
    for (const [place, face] of at) if (this.places.has(place)) this.at.set(place, face);
  }

  /** Whether there are more pieces than places. Such pieces are dealt anew in each match, so a saved deployment would
   * not fit the next one.
   */
  get surplus(): boolean {
    return [...this.total.values()].reduce((sum, count) => sum + count, 0) > this.places.size;
  }

  /** Fill all places from all pieces, each arrangement with the same probability. */
  random(): void {
    const pieces = [...this.total].flatMap(([face, count]) => (face === '' ? [] : Array<string>(count).fill(face)));
    const places = [...this.arrange.places];
    shuffle(pieces);
    shuffle(places);
    this.set(new Map(places.slice(0, this.wanted).map((place, index) => [place, pieces[index] as string])));
  }

  /** Whether each place has its mirror image among the places. */
  get mirrors(): boolean {
    return (
      this.ways.mirrors &&
      this.arrange.places.length > 1 &&
      this.arrange.places.every((place) => this.places.has(this.opposite(place)))
    );
  }

  /** Mirror the arrangement from left to right. */
  mirror(): void {
    this.set(new Map([...this.at].map(([place, face]) => [this.opposite(place), face])));
  }

  private opposite(id: string): string {
    const { spaces, columns } = this.board;
    const [column, row] = spaces.find((space) => space.id === id)?.place ?? [0, 0];
    return spaces.find(({ place }) => place[0] === columns - 1 - column && place[1] === row)?.id ?? id;
  }

  /** Return one action for each place in order, as "Ready" sends them. */
  actions(): number[] {
    const action = new Map(this.arrange.pieces.map((piece) => [piece.face, piece.action]));
    return this.arrange.places.map((place) => action.get(this.at.get(place) ?? '') as number);
  }
}

/** Shuffle by Fisher and Yates, with the browser's strong random numbers and without modulo bias. */
function shuffle(items: string[]): void {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = below(last + 1);
    [items[last], items[other]] = [items[other] as string, items[last] as string];
  }
}

function below(limit: number): number {
  const draw = new Uint32Array(1);
  const fair = 2 ** 32 - (2 ** 32 % limit);
  do crypto.getRandomValues(draw);
  while ((draw[0] as number) >= fair);
  return (draw[0] as number) % limit;
}
