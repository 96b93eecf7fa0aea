// Possible ranks of hidden pieces in a replay, at each moment. They are loaded on demand.

import { candidates, lineOf } from '../protocol/api';
import { glyph } from '../words/glyphs';
import type { Candidates, Line, Replay, Token } from '../protocol/messages';

/** Return the faces of a set, highest rank first, then those without a rank. */
function facesOf(bits: number, faces: readonly string[]): string[] {
  const height = (face: string): number => Number.parseInt(glyph(face).numeral, 10) || 0;
  return faces.filter((_, bit) => (bits >> bit) & 1).toSorted((one, other) => height(other) - height(one));
}

/** Return the possible faces by token for an observer after a number of steps. */
export function possibleAt({ first, steps, faces }: Candidates, observer: string, at: number): Map<string, string[]> {
  const known: Record<string, number> = { ...first[observer] };
  for (const news of steps.slice(0, at)) Object.assign(known, news[observer]);
  return new Map(Object.entries(known).map(([token, bits]) => [token, facesOf(bits, faces)]));
}

/** Keep the pieces that are hidden from the observer, or from an enemy if the observer sees everything. */
export function hidden(possible: ReadonlyMap<string, string[]>, tokens: readonly Token[]): Map<string, string[]> {
  const shown = tokens.filter(({ id, face = '', marks = [] }) => {
    const count = possible.get(id)?.length ?? 0;
    return count > 1 || (count === 1 && face === '') || (count === 1 && !marks.includes('seen'));
  });
  return new Map(shown.map(({ id }) => [id, possible.get(id) ?? []]));
}

export class Possible {
  wanted = $state(false);
  failed = $state.raw<Line | null>(null);
  private made = $state.raw<Candidates | null>(null);

  constructor(
    private readonly replay: Replay,
    private readonly id: string,
  ) {}

  readonly waits = $derived.by(() => this.wanted && this.made === null && this.failed === null);

  at(observer: string, step: number, tokens: readonly Token[]): Map<string, string[]> | undefined {
    if (!this.wanted || this.made === null) return undefined;
    return hidden(possibleAt(this.made, observer, step), tokens);
  }

  /** Load the ranks if wanted and not loaded yet. After a failure, a later call tries again. */
  async want(wanted: boolean): Promise<void> {
    this.wanted = wanted;
    if (!wanted || this.made !== null) return;
    this.failed = null;
    try {
      this.made = await candidates(this.id, this.replay.record);
    } catch (error) {
      this.failed = lineOf(error);
    }
  }
}
