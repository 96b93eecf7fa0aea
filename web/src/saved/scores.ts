// The player's results by game and opponent, as a file and in this browser. The browser keeps results even if a match
// is forgotten. Results hold no secrets and no moves.

import { isShared, savedMatches, type SavedMatch } from './matches.svelte';
import type { Line } from '../protocol/messages';
import { isList, isRecord, isText, read, write } from '../browser/storage';

const KEY = 'gonfalon.results';
const MOST = 5000;
const MOST_BYTES = 2_000_000;
const ENDS = ['won', 'drawn', 'lost'] as const;

export type End = (typeof ENDS)[number];

export interface Result {
  id: string;
  variant: string;
  /** Name of a computer player, or `link`, `mixed`. */
  against: string;
  end: End;
  /** Time at which the match was made, in seconds. */
  date: number;
  tookBack: number;
  hints: number;
}

/** Results with one opponent in one game. */
export interface Score extends Record<End, number> {
  variant: string;
  against: string;
  /** Number of wins with take-backs or hints. */
  helped: number;
}

export class ResultsError extends Error {
  constructor(readonly line: Line) {
    super(line.code);
  }
}

function resultOf(match: SavedMatch): Result | null {
  const { id, variant, opponent, agent, mine, result, created: date, tookBack, hints } = match;
  if (!match.ended || result === '' || mine === '' || isShared(match)) return null;
  const end = result === 'draw' ? 'drawn' : result === mine ? 'won' : 'lost';
  return { id, variant, against: opponent === 'agent' && agent !== '' ? agent : opponent, end, date, tookBack, hints };
}

/** Return what is wrong with a result from a file; empty if nothing is. */
function fault(value: unknown): string {
  if (!isRecord(value)) return 'result';
  const texts = ['id', 'variant', 'against'].find((key) => !isText(value[key]) || !/^[\w-]{1,64}$/.test(value[key]));
  if (texts !== undefined) return texts;
  if (!ENDS.some((end) => end === value.end)) return 'end';
  return ['date', 'tookBack', 'hints'].find((key) => !Number.isSafeInteger(value[key]) || Number(value[key]) < 0) ?? '';
}

const isResult = (value: unknown): value is Result => fault(value) === '';

/** Return all results, including those of saved matches, newest first. */
export function collectResults(more: readonly Result[] = []): Result[] {
  const stored = read('localStorage', KEY, isList, []).filter(isResult);
  const listed = savedMatches().flatMap((match) => resultOf(match) ?? []);
  const all = new Map([...more, ...stored, ...listed].map((result) => [result.id, result]));
  const results = [...all.values()].sort((a, b) => b.date - a.date).slice(0, MOST);
  write('localStorage', KEY, results);
  return results;
}

export function scoresOf(results: readonly Result[]): Score[] {
  const scores = new Map<string, Score>();
  for (const { variant, against, end, tookBack, hints } of results) {
    const key = `${variant} ${against}`;
    const score = scores.get(key) ?? { variant, against, won: 0, drawn: 0, lost: 0, helped: 0 };
    score[end] += 1;
    if (end === 'won' && tookBack + hints > 0) score.helped += 1;
    scores.set(key, score);
  }
  return [...scores.values()].sort((a, b) => (a.variant + a.against < b.variant + b.against ? -1 : 1));
}

export const writeResults = (results: readonly Result[]): string =>
  JSON.stringify({ gonfalon: 'results', version: 1, results }, null, 1);

/** Return the results in a file. Raises `ResultsError` with a line that names the fault and its place. */
export function readResults(text: string): Result[] {
  if (text.length > MOST_BYTES) throw new ResultsError({ code: 'results-too-long', args: {} });
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new ResultsError({ code: 'results-no-json', args: {} });
  }
  if (!isRecord(file) || file.gonfalon !== 'results' || !isList(file.results))
    throw new ResultsError({ code: 'results-other', args: {} });
  if (file.version !== 1) throw new ResultsError({ code: 'results-version', args: { version: String(file.version) } });
  file.results.forEach((each, index) => {
    const what = fault(each);
    if (what !== '') throw new ResultsError({ code: 'results-entry', args: { number: index + 1, what } });
  });
  return file.results.filter(isResult);
}
