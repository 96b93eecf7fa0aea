// The player's choice so far: the steps taken along the paths of the choices.

import type { Choice, Line } from '../../protocol/messages';
import { completed, nextSteps } from './walk';

/** The seat for which the player chooses. */
export interface ChoosingSeat {
  /** Whether the player can choose now. */
  readonly ready: boolean;
  /** Send a choice; without `choice`, the actions of an arrangement. */
  act: (actions: number[], choice?: Choice) => void;
}

export class Choosing {
  choices = $state.raw<Choice[]>([]);
  /** Whether the server keeps the choice so far as a draft, which the player can take back. */
  draft = $state(false);
  /** Steps so far. */
  prefix = $state.raw<string[]>([]);
  /** Complete choice that waits for the player's confirmation. */
  held = $state.raw<Choice | null>(null);
  /** Path of the last choice that was sent; empty after an arrangement. */
  sent = $state.raw<readonly string[]>([]);
  /** Reason why the server or the page refused the last act. */
  refused = $state.raw<Line | null>(null);

  /** IDs that the player can choose next. */
  readonly steps = $derived.by(() => (this.ready ? nextSteps(this.choices, this.prefix) : new Set<string>()));
  /** Path of the choice so far. */
  readonly path = $derived.by((): readonly string[] => this.held?.path ?? this.prefix);

  constructor(private readonly seat: ChoosingSeat) {}

  /** Whether the player can choose now. */
  get ready(): boolean {
    return this.seat.ready;
  }

  /** Offer new choices; forget the steps so far. */
  offer(choices: Choice[], draft = false): void {
    this.choices = choices;
    this.draft = draft;
    this.forget();
  }

  /** Take one step. Return whether any choice has this step. */
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

  /** Begin a new choice with `id`, unless that is the last step so far. */
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

  /** Go one step back. Return whether there was one. */
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
