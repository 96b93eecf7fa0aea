// What the strongest computer player thinks of a match that is over: asked for, followed while it is made, stopped.

import { analyses, lineOf } from '../protocol/api';
import type { Analysis, AnalysisNews, Judgement, Line } from '../protocol/messages';

/** So many of the decisions that cost most are named. */
const NAMED = 3;
/** What costs less than this is none of them: two searches of one position differ by as much, and a hint that was
 * followed would be blamed.
 */
const LEAST = 0.05;

export const cost = ({ best, chance }: Judgement): number => best - chance;

/** The decisions that cost most, the dearest first. */
export const dearest = (judged: readonly Judgement[]): Judgement[] =>
  judged
    .filter((each) => cost(each) >= LEAST)
    .toSorted((one, other) => cost(other) - cost(one))
    .slice(0, NAMED);

/** The chances after each decision as points of a line in a field of this width and height; `last`: of the match. */
export const curve = (judged: readonly Judgement[], last: number, width: number, height: number): [number, number][] =>
  judged.map(({ step, chance }) => [((step + 1) / Math.max(1, last)) * width, (1 - chance) * height]);

export class Study {
  running = $state(false);
  done = $state(0);
  total = $state(0);
  /** Of a side; null until it is made. */
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

  /** The server stops too, when nobody else waits for it. */
  stop(): void {
    this.stopping.abort();
    this.running = false;
  }

  private hear({ done = 0, total = 0, analysis = null, line = null }: AnalysisNews): void {
    [this.done, this.total, this.analysis, this.failed] = [done, total, analysis, line];
  }
}
