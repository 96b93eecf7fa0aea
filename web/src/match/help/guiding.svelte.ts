// What a newcomer is told: of the hints that a scene offers the first that he neither followed nor put away before.

import type { Choice, Hint } from '../../protocol/messages';
import { set, settings } from '../../browser/settings.svelte';
import { isTextList, read, write } from '../../browser/storage';
import type { Choosing } from '../choosing/choosing.svelte';
import type { MatchState } from '../state.svelte';

const KEY = 'gonfalon.hints';
/** Hints that are known in this browser, as `family.code`. */
let known = $state.raw<readonly string[]>(read(localStorage, KEY, isTextList, []));

function keep(names: readonly string[]): void {
  known = [...new Set(names)];
  write(localStorage, KEY, known);
}

/** From now on all hints are told again. */
export function guideAgain(): void {
  keep([]);
  set('hints', 'on');
}

export class Guiding {
  constructor(
    private readonly match: Pick<MatchState, 'scene' | 'info' | 'ending'>,
    private readonly choosing: Pick<Choosing, 'path' | 'ready'>,
  ) {}

  /** The hint that stands on the screen: one about the space that is chosen comes first. */
  readonly said = $derived.by((): Hint | null => {
    if (settings.hints === 'off' || !this.choosing.ready || this.match.ending !== null) return null;
    const [chosen = ''] = this.choosing.path;
    const open = (this.match.scene?.hints ?? []).filter(({ code }) => !known.includes(this.name(code)));
    const about = open.find(({ on }) => on?.includes(chosen));
    return about ?? open.find(({ on = [] }) => on.length === 0) ?? null;
  });

  /** The viewer decides: what he was told, or did by himself, he knows. */
  follow(choice?: Choice): void {
    const [begin = ''] = choice?.path ?? [];
    const followed = (this.match.scene?.hints ?? []).filter(({ code, on = [], verbs = [] }) =>
      verbs.length === 0
        ? code === this.said?.code
        : verbs.includes(choice?.verb ?? '') && (on.length === 0 || on.includes(begin)),
    );
    if (followed.length > 0) keep([...known, ...followed.map(({ code }) => this.name(code))]);
  }

  /** The viewer has read it. */
  dismiss(): void {
    if (this.said) keep([...known, this.name(this.said.code)]);
  }

  /** Of the page itself: it is told until it was, once. */
  lacks(code: string): boolean {
    return settings.hints === 'on' && !known.includes(code);
  }

  learn(code: string): void {
    keep([...known, code]);
  }

  private name(code: string): string {
    return `${this.match.info?.family ?? ''}.${code}`;
  }
}
