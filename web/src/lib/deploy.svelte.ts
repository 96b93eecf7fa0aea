// A deployment being made: which face lies on which place, and what is picked up. Nothing of it leaves the page before
// "Ready".

import { SvelteMap } from 'svelte/reactivity';
import { army } from './deployments';
import type { Arrange, Board } from './messages';

export type Held = { kind: 'face'; face: string } | { kind: 'place'; place: string } | null;

export class Deployer {
  at = new SvelteMap<string, string>();
  held = $state.raw<Held>(null);
  readonly places: Set<string>;
  private readonly total: Map<string, number>;

  readonly left = $derived.by(() => {
    const left = new Map(this.total);
    for (const face of this.at.values()) left.set(face, (left.get(face) ?? 0) - 1);
    return left;
  });
  readonly missing = $derived.by(() => [...this.left].reduce((sum, [face, count]) => (face === '' ? sum : sum + count), 0));
  readonly complete = $derived(this.missing === 0);

  constructor(
    readonly arrange: Arrange,
    private readonly board: Board,
  ) {
    this.places = new Set(arrange.places);
    this.total = army(arrange);
  }

  /** Kinds of piece in the army's order, without the empty one. */
  get kinds(): string[] {
    return this.arrange.pieces.map((piece) => piece.face).filter((face) => face !== '');
  }

  pickFace(face: string): void {
    const same = this.held?.kind === 'face' && this.held.face === face;
    if (this.held?.kind === 'place') this.takeBack(this.held.place);
    this.held = same || (this.left.get(face) ?? 0) <= 0 ? null : { kind: 'face', face };
  }

  /** A place was chosen: put down what is held, swap, or pick up. Whether that was possible. */
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
    this.at.set(place, face);
    this.held = (this.left.get(face) ?? 0) > 0 ? { kind: 'face', face } : null;
  }

  /** Moves what lies on `from` to `to`; what lay there goes back. */
  move(from: string, to: string): void {
    this.held = null;
    const face = this.at.get(from);
    if (face === undefined || from === to || !this.places.has(to)) return;
    const other = this.at.get(to);
    if (other === undefined) this.at.delete(from);
    else this.at.set(from, other);
    this.at.set(to, face);
  }

  takeBack(place: string): boolean {
    this.held = null;
    return this.at.delete(place);
  }

  clear(): void {
    this.at.clear();
    this.held = null;
  }

  set(at: ReadonlyMap<string, string>): void {
    this.clear();
    for (const [place, face] of at) if (this.places.has(place)) this.at.set(place, face);
  }

  /** All pieces anew, each arrangement as likely as any other. */
  random(): void {
    const faces = [...this.total].flatMap(([face, count]) => Array<string>(count).fill(face));
    const free = [...this.arrange.places];
    while (faces.length < free.length) faces.push('');
    shuffle(faces);
    this.set(new Map(free.map((place, index) => [place, faces[index] ?? ''] as const).filter(([, face]) => face !== '')));
  }

  /** Left becomes right. */
  mirror(): void {
    const spaces = new Map(this.board.spaces.map((space) => [space.id, space]));
    const byPlace = new Map(this.board.spaces.map((space) => [space.place.join(), space.id]));
    const other = (id: string): string => {
      const [column, row] = spaces.get(id)?.place ?? [0, 0];
      return byPlace.get([this.board.columns - 1 - column, row].join()) ?? id;
    };
    this.set(new Map([...this.at].map(([place, face]) => [other(place), face])));
  }

  /** One action for each place in order: what "Ready" sends. */
  actions(): number[] {
    const action = new Map(this.arrange.pieces.map((piece) => [piece.face, piece.action]));
    return this.arrange.places.map((place) => action.get(this.at.get(place) ?? '') as number);
  }
}

/** Fisher and Yates, with the browser's strong random numbers and without modulo bias. */
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
