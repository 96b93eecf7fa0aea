// An analysis of a finished match by the strongest computer player: start, progress and stop.

import { analyses, lineOf } from '../protocol/api';
import type { Analysis, AnalysisNews, Judgement, Line } from '../protocol/messages';

/** Maximum number of decisions in the list of the costliest ones. */
const NAMED = 3;
/** Minimum cost of a shown decision. Two searches of one position differ by as much, so with a lower limit the analysis
 * would criticize the computer's own hints.
 */
const LEAST = 0.05;

export const cost = ({ best, chance }: Judgement): number => best - chance;

/** Return the decisions with the highest cost, the worst first. */
export const dearest = (judged: readonly Judgement[]): Judgement[] =>
  judged
    .filter((each) => cost(each) >= LEAST)
    .toSorted((one, other) => cost(other) - cost(one))
    .slice(0, NAMED);

/** Return the chances after each decision as points in a field of this width and height. `last`: last step of the
 * match.
 */
export const curve = (judged: readonly Judgement[], last: number, width: number, height: number): [number, number][] =>
  judged.map(({ step, chance }) => [((step + 1) / Math.max(1, last)) * width, (1 - chance) * height]);

export class Study {
  running = $state(false);
  done = $state(0);
  total = $state(0);
  /** Analysis of a side; null until it is complete. */
  analysis = $state.raw<Analysis | null>(null);
  failed = $state.raw<Line | null>(null);
  readonly dearest = $derived.by(() => dearest(this.analysis?.judged ?? []));

  private stopping = new AbortController();

  constructor(private readonly match: string) {}

  async start(side: string): Promise<void> {
    this.stop();
    const mine = (this.stopping = new AbortController());
    [this.running, this.done, this.total, this.analysis, this.failed] = [true, 0, 0, null, null];
    try {
      for await (const news of analyses(this.match, side, mine.signal)) {
        if (mine.signal.aborted) return;
        this.hear(news);
      }
      if (!this.analysis && !this.failed) this.failed = { code: 'analysis-failed', args: {} };
    } catch (error) {
      if (!mine.signal.aborted) this.failed = lineOf(error);
    } finally {
      if (mine === this.stopping) this.running = false;
    }
  }

  /** Stop the analysis here. The server stops it too if no other client waits for it. */
  stop(): void {
    this.stopping.abort();
    this.running = false;
  }

  private hear({ done = 0, total = 0, analysis = null, line = null }: AnalysisNews): void {
    [this.done, this.total, this.analysis, this.failed] = [done, total, analysis, line];
  }
}
