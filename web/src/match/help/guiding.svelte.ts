// Hints for newcomers: the first hint for the position that the player has neither followed nor dismissed.

import type { Choice, Hint } from '../../protocol/messages';
import { set, settings } from '../../browser/settings.svelte';
import { isTextList, read, write } from '../../browser/storage';
import type { Choosing } from '../choosing/choosing.svelte';
import type { MatchState } from '../state.svelte';

const KEY = 'gonfalon.hints';
/** Code of the pictures that introduce a family. */
export const PICTURES = 'pictures';
/** Known hints in this browser, as `family.code`. */
let known = $state.raw<readonly string[]>(read('localStorage', KEY, isTextList, []));

function keep(names: readonly string[]): void {
  known = [...new Set(names)];
  write('localStorage', KEY, known);
}

/** Show all hints again, even known ones. The pictures, which have a button of their own, stay known. */
export function guideAgain(): void {
  keep(known.filter((name) => name.endsWith(`.${PICTURES}`)));
  set('hints', 'on');
}

export class Guiding {
  /** Hints for the position on the screen, the most urgent first. */
  private offered = $state.raw<readonly Hint[]>([]);

  constructor(
    private readonly match: Pick<MatchState, 'info' | 'ending'>,
    private readonly choosing: Pick<Choosing, 'path' | 'ready'>,
  ) {}

  /** Hint on the screen. A hint about the chosen space comes first. */
  readonly said = $derived.by((): Hint | null => {
    if (settings.hints === 'off' || !this.choosing.ready || this.match.ending !== null) return null;
    const [chosen = ''] = this.choosing.path;
    const open = this.offered.filter(({ code }) => !known.includes(this.name(code)));
    const about = open.find(({ on }) => on?.includes(chosen));
    return about ?? open.find(({ on = [] }) => on.length === 0) ?? null;
  });

  /** Take the hints for the position on the screen. */
  offer(hints: readonly Hint[]): void {
    this.offered = hints;
  }

  /** Return whether some of these hints may still be shown: the server makes hints only for windows that show them. */
  shows(codes: readonly string[]): boolean {
    return settings.hints === 'on' && codes.some((code) => !known.includes(this.name(code)));
  }

  /** Mark hints as known after a decision: the hint on the screen, and hints about the same act. */
  follow(choice?: Choice): void {
    const [begin = ''] = choice?.path ?? [];
    const followed = this.offered.filter(({ code, on = [], verbs = [] }) =>
      verbs.length === 0
        ? code === this.said?.code
        : verbs.includes(choice?.verb ?? '') && (on.length === 0 || on.includes(begin)),
    );
    if (followed.length > 0) keep([...known, ...followed.map(({ code }) => this.name(code))]);
  }

  /** Mark the hint on the screen as known. */
  dismiss(): void {
    if (this.said) keep([...known, this.name(this.said.code)]);
  }

  /** Return whether the player does not know yet a hint of the page itself. */
  lacks(code: string): boolean {
    return settings.hints === 'on' && !known.includes(code);
  }

  learn(code: string): void {
    keep([...known, code]);
  }

  /** Return whether the player does not know yet a hint of the page about this match's family. */
  lacksOwn(code: string): boolean {
    return this.match.info !== null && this.lacks(this.name(code));
  }

  learnOwn(code: string): void {
    this.learn(this.name(code));
  }

  private name(code: string): string {
    return `${this.match.info?.family ?? ''}.${code}`;
  }
}
