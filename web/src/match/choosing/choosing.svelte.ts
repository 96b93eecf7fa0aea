// What this seat can choose now, and how far it has come: a walk along the paths of the choices.

import type { Choice, Line } from '../../protocol/messages';
import { completed, nextSteps } from './walk';

/** The seat that a walk along the choices belongs to. */
export interface ChoosingSeat {
  /** The player can choose now. */
  readonly ready: boolean;
  /** Send a choice; without `choice`, the actions of an arrangement. */
  act: (actions: number[], choice?: Choice) => void;
}

export class Choosing {
  choices = $state.raw<Choice[]>([]);
  /** The server keeps what was chosen so far; it can be taken back. */
  draft = $state(false);
  /** The steps taken. */
  prefix = $state.raw<string[]>([]);
  /** A complete choice that waits for its confirmation. */
  held = $state.raw<Choice | null>(null);
  /** Path of the last choice that was sent; empty after an arrangement. */
  sent = $state.raw<readonly string[]>([]);
  /** Why the last thing was not done, to be shown in place. */
  refused = $state.raw<Line | null>(null);

  /** The ids that can be chosen next. */
  readonly steps = $derived.by(() => (this.ready ? nextSteps(this.choices, this.prefix) : new Set<string>()));
  /** What has been chosen, all of it. */
  readonly path = $derived.by((): readonly string[] => this.held?.path ?? this.prefix);

  constructor(private readonly seat: ChoosingSeat) {}

  /** The player can choose now. */
  get ready(): boolean {
    return this.seat.ready;
  }

  /** There are other choices now; what was begun is forgotten. */
  offer(choices: Choice[], draft = false): void {
    this.choices = choices;
    this.draft = draft;
    this.forget();
  }

  /** Takes one step of a choice. Whether it led anywhere. */
  step(id: string, confirm: boolean): boolean {
    if (!this.ready) return false;
    this.refused = null;
    if (this.held && this.held.path.at(-1) === id) return this.confirm();
    this.held = null;
    if (this.steps.has(id)) return this.walkTo([...this.prefix, id], confirm);
    if (this.prefix.at(-1) === id) return this.back();
    if (nextSteps(this.choices, []).has(id)) return this.walkTo([id], confirm);
    return false;
  }

  /** Begins anew with `id`, unless that is where one stands. */
  startAt(id: string): void {
    if (this.prefix.at(-1) === id) return;
    this.forget();
    this.step(id, true);
  }

  confirm(): boolean {
    if (!this.held) return false;
    this.act([this.held.id]);
    return true;
  }

  /** One step back. Whether there was one. */
  back(): boolean {
    this.refused = null;
    if (this.held) this.held = null;
    else if (this.prefix.length > 0) this.prefix = this.prefix.slice(0, -1);
    else return false;
    return true;
  }

  act(actions: number[]): void {
    const choice = this.choices.find(({ id }) => id === actions[0]);
    this.sent = choice?.path ?? [];
    this.seat.act(actions, choice);
    this.forget();
  }

  private walkTo(path: string[], confirm: boolean): boolean {
    const choice = completed(this.choices, path);
    if (!choice) this.prefix = path;
    else if (confirm || choice.warning) this.held = choice;
    else this.act([choice.id]);
    return true;
  }

  private forget(): void {
    this.prefix = [];
    this.held = null;
  }
}
