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

/** Orders of the list of mistakes: by cost, or by the time that the player took. */
export const ORDERS = ['cost', 'time'] as const;
export type Order = (typeof ORDERS)[number];

/** Return the mistakes that come first, ordered by `weight`: the decisions with the highest cost, or the slowest. */
export const dearest = (judged: readonly Judgement[], weight = cost): Judgement[] =>
  judged
    .filter((each) => cost(each) >= LEAST)
    .toSorted((one, other) => weight(other) - weight(one))
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
  order = $state<Order>('cost');
  readonly dearest = $derived.by(() =>
    dearest(this.analysis?.judged ?? [], this.order === 'time' ? ({ step }) => this.took(step) : cost),
  );

  private stopping = new AbortController();

  /** `took`: returns the milliseconds that the decision of a step took; 0 if unknown. */
  constructor(
    private readonly match: string,
    readonly took: (step: number) => number = () => 0,
  ) {}

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
