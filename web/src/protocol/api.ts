// The calls of docs/protocol.md. A failure is an `ApiError` that carries a line to show.

import type {
  AgentCard,
  AnalysisNews,
  Candidates,
  GivenName,
  Line,
  MatchInfo,
  MatchMade,
  MatchRatings,
  PieceNames,
  NewMatch,
  Problem,
  Replay,
  SeatKey,
  Standing,
  VariantCard,
  VariantPage,
} from './messages';

export class ApiError extends Error {
  constructor(readonly line: Line) {
    super(line.code);
  }
}

/** Call the server; with a body, by POST. Raises `ApiError`. An answer without content gives null. */
export async function call<T>(path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, body === undefined ? {} : post(body));
  } catch {
    throw new ApiError({ code: 'no-server', args: {} });
  }
  if (!answer.ok) throw new ApiError(await problem(answer));
  return (answer.status === 204 ? null : await answer.json()) as T;
}

function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function problem(answer: Response): Promise<Line> {
  try {
    const { line } = (await answer.json()) as Problem;
    if (typeof line.code === 'string') return { code: line.code, args: line.args ?? {} };
  } catch {
    // The answer does not come from this server, but for example from a proxy.
  }
  return { code: answer.status >= 500 ? 'no-server' : 'failed', args: { status: answer.status } };
}

export const lineOf = (error: unknown): Line =>
  error instanceof ApiError ? error.line : { code: 'failed', args: { status: String(error) } };

const part = encodeURIComponent;
let cards: Promise<VariantCard[]> | null = null;

/** Return the variants. The page asks the server only once, unless a call failed. */
export function games(): Promise<VariantCard[]> {
  cards ??= call<VariantCard[]>('/api/games').catch((error: unknown) => {
    cards = null;
    throw error;
  });
  return cards;
}

export const game = (variant: string): Promise<VariantPage> => call(`/api/games/${part(variant)}`);
/** Return the names of the computer players that play a variant. */
export const agents = async (variant: string): Promise<string[]> =>
  (await call<AgentCard[]>('/api/agents'))
    .filter(({ variants }) => variants?.includes(variant) ?? true)
    .map(({ name }) => name);
export const names = (): Promise<Record<string, PieceNames>> => call('/api/names');
/** Return a name as matches store it. Raises `ApiError` for a name that no match accepts. */
export const checkName = (name: string): Promise<GivenName> => call('/api/names/check', { name });
/** Return how the matches of these seats stand. Seats that the server does not know are missing. */
export const standings = (seats: SeatKey[]): Promise<Standing[]> => call('/api/standings', { seats });
/** Return how the running matches of the account that is open here stand. */
export const ownRunning = (): Promise<Standing[]> => call('/api/account/matches');
/** A replay; if it is a match of this server, with the sides of the computer players and the variant's own title. */
export type PlayedReplay = Replay & { computers?: readonly string[]; title?: MatchInfo['title'] };
/** Return the replay of a match. Players without a typed name have the names of their accounts today. */
export async function replay(id: string): Promise<PlayedReplay> {
  const path = `/api/matches/${part(id)}`;
  const [found, info] = await Promise.all([call<Replay>(`${path}/replay`), call<MatchInfo>(path)]);
  const accounts = info.seats.filter(({ name, account }) => name === '' && account !== '');
  return {
    ...found,
    title: info.title,
    computers: info.seats.filter(({ kind }) => kind === 'agent').map(({ side }) => side),
    names: { ...found.names, ...Object.fromEntries(accounts.map((seat) => [seat.side, seat.account])) },
  };
}
/** Return how a match changed ratings; no change until the server has computed them. */
export const matchRatings = (id: string): Promise<MatchRatings> => call(`/api/matches/${part(id)}/ratings`);
export const openRecord = (text: string): Promise<Replay> => call('/api/replays', { text });
/** Return the candidates of a match, or of a record without a match. */
export const candidates = (match: string, record: string): Promise<Candidates> =>
  match === '' ? call('/api/candidates', { text: record }) : call(`/api/matches/${part(match)}/candidates`);
export const makeMatch = (wish: NewMatch): Promise<MatchMade> => call('/api/matches', wish);

/** Yield the news of an analysis as the server sends them. `signal` stops the analysis. */
export async function* analyses(match: string, side: string, signal: AbortSignal): AsyncGenerator<AnalysisNews> {
  const path = `/api/matches/${part(match)}/analyses/${part(side)}`;
  const answer = await fetch(path, { method: 'POST', signal }).catch(() => null);
  if (!answer?.body) throw new ApiError({ code: 'no-server', args: {} });
  if (!answer.ok) throw new ApiError(await problem(answer));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as AnalysisNews;
    if (done) return;
  }
}
