// Matches that this browser knows: secrets of seats, players at this device, seen steps. Kept in localStorage only.

import { addressOf } from './links';
import { forget, isList, isRecord, isText, isTextList, isTextRecord, newSecret, read, write } from '../browser/storage';
import type { Ending, MatchInfo, MatchMade, Seat } from '../protocol/messages';
import { noteTitle } from '../words/own.svelte';

export type Opponent = 'agent' | 'link' | 'device' | 'mixed';
const OPPONENTS: readonly unknown[] = ['agent', 'link', 'device', 'mixed'];

/** A seat as the server describes it. `kind`: `person` or `agent`; `name`: of the computer player, or the name that a
 * person has given.
 */
export type KnownSeat = Pick<Seat, 'side' | 'kind' | 'name'>;

export interface SavedMatch {
  id: string;
  variant: string;
  created: number;
  opponent: Opponent;
  agent: string;
  /** This browser's side. Empty if the browser has several sides, or until the server has named the side. */
  mine: string;
  /** All sides on this device. With several, a curtain hides the board between turns. */
  here: string[];
  /** Secrets of seats by side; '?' stands for the side of a link until the server has named it. */
  secrets: Record<string, string>;
  /** Invitations to guests by side. Only the browser that made the match has them. */
  invitations: Record<string, string>;
  /** Secret for each opened invitation. After a lost answer, the page sends both again. */
  opened: Record<string, string>;
  /** Whether the match was made by one click, without house rules. */
  quick: boolean;
  /** Whether the server has stored an act of this browser. */
  acted: boolean;
  /** All seats in the order of the players; empty until the server has named them. */
  seats: KnownSeat[];
  /** Sides that may act, and the time of the last step in seconds (0: not known), as the server said last. */
  due: string[];
  moved: number;
  /** Deadline of the present decision by correspondence, in Unix milliseconds; 0 if there is none. */
  deadline: number;
  /** Whether the server did not know the match when it was asked last. */
  gone: boolean;
  /** Whether the server has said how the match ended, so that it need not be asked again. */
  settled: boolean;
  ended: boolean;
  /** The winner's side, `draw`, or empty if unknown. */
  result: string;
  /** Numbers of take-backs and hints. */
  tookBack: number;
  hints: number;
  /** For several players on one device: the last step that each side has seen, and the side of the next turn. */
  seen: Record<string, number>;
  next: string;
}

const KEY = 'gonfalon.matches';
const SEAT = 'gonfalon.seat.';
/** Prefix of an invitation in a link. A link without it holds the secret of a seat. */
const INVITE = 'invite.';

const isSeat = (value: unknown): value is KnownSeat =>
  isRecord(value) && isText(value.side) && isText(value.kind) && isText(value.name);

function clean(value: unknown): SavedMatch | null {
  if (!isRecord(value) || !isText(value.id) || !isText(value.variant) || !isTextRecord(value.secrets)) return null;
  const seen = isRecord(value.seen) ? Object.entries(value.seen) : [];
  const mine = isText(value.mine) ? value.mine : '';
  const alone = value.opponent === 'device' ? Object.keys(value.secrets) : [mine].filter((side) => side !== '');
  return {
    id: value.id,
    variant: value.variant,
    created: typeof value.created === 'number' ? value.created : 0,
    opponent: OPPONENTS.includes(value.opponent) ? (value.opponent as Opponent) : 'link',
    agent: isText(value.agent) ? value.agent : '',
    mine,
    here: isList(value.here) ? value.here.filter(isText) : alone,
    secrets: value.secrets,
    invitations: isTextRecord(value.invitations) ? value.invitations : {},
    opened: isTextRecord(value.opened) ? value.opened : {},
    quick: value.quick === true,
    acted: value.acted === true,
    seats: isList(value.seats) ? value.seats.filter(isSeat) : [],
    due: isTextList(value.due) ? value.due : [],
    moved: typeof value.moved === 'number' ? value.moved : 0,
    deadline: typeof value.deadline === 'number' ? value.deadline : 0,
    gone: value.gone === true,
    settled: value.settled === true,
    ended: value.ended === true,
    result: isText(value.result) ? value.result : '',
    tookBack: typeof value.tookBack === 'number' ? value.tookBack : 0,
    hints: typeof value.hints === 'number' ? value.hints : 0,
    seen: Object.fromEntries(seen.filter((entry): entry is [string, number] => typeof entry[1] === 'number')),
    next: isText(value.next) ? value.next : '',
  };
}

/** Return whether several people play on this device. */
export const isShared = (match: SavedMatch | undefined): boolean => match !== undefined && match.here.length > 1;

/** Return whether the player used take-backs or hints. */
export const isAided = ({ tookBack, hints }: SavedMatch): boolean => tookBack + hints > 0;

/** Return all matches, newest first. Each call reads the storage, because another tab may have changed it. */
export function savedMatches(): SavedMatch[] {
  const all = read('localStorage', KEY, isList, []).map(clean);
  return all.filter((match) => match !== null).sort((a, b) => b.created - a.created);
}

export const savedMatch = (id: string): SavedMatch | undefined => savedMatches().find((match) => match.id === id);

export function saveMatch(match: SavedMatch): boolean {
  return write('localStorage', KEY, [match, ...savedMatches().filter((other) => other.id !== match.id)].slice(0, 200));
}

export function changeMatch(id: string, change: Partial<SavedMatch>): void {
  const match = savedMatch(id);
  if (match) saveMatch({ ...match, ...change });
}

export function endMatch(id: string, ending: Ending): void {
  changeMatch(id, endOf(ending));
}

/** Return the facts of an ending that are saved. */
export const endOf = ({ winner, reason }: Ending): Pick<SavedMatch, 'ended' | 'result'> => ({
  ended: true,
  result: winner || (reason === 'no-result' ? '' : 'draw'),
});

/** Save what the server says of a match's players. How the page came to the match does not matter. */
export function noteInfo(id: string, info: MatchInfo): void {
  const match = savedMatch(id);
  const facts = match && factsOf(match, info);
  if (match && JSON.stringify({ ...match, ...facts }) !== JSON.stringify(match)) saveMatch({ ...match, ...facts });
}

/** Return the facts of a match that are saved. */
export function factsOf(match: Pick<SavedMatch, 'here'>, info: MatchInfo): Partial<SavedMatch> {
  const { variant, created, took_back: tookBack, hints } = info;
  noteTitle(variant, info.title);
  const seats = info.seats.map(({ side, kind, name, account }) => ({ side, kind, name: name || account }));
  return { variant, created, tookBack, hints, seats, ...opponentOf({ here: match.here, seats }) };
}

/** Return the seats of the players at other devices. */
export const othersOf = ({ seats, here }: Pick<SavedMatch, 'seats' | 'here'>): KnownSeat[] =>
  seats.filter(({ side }) => !here.includes(side));

/** Return the kind of opponent that all seats elsewhere share, `mixed` if they differ, and their computer player if all
 * have the same one.
 */
function opponentOf(match: Pick<SavedMatch, 'seats' | 'here'>): Pick<SavedMatch, 'opponent' | 'agent'> {
  const others = othersOf(match);
  const kinds = new Set<Opponent>(others.map(({ kind }) => (kind === 'agent' ? 'agent' : 'link')));
  if (match.here.length > 1) kinds.add('device');
  const agents = new Set(others.map(({ name }) => name));
  const [opponent = 'link'] = kinds.size > 1 ? (['mixed'] as const) : kinds;
  return { opponent, agent: opponent === 'agent' && agents.size === 1 ? ([...agents][0] ?? '') : '' };
}

/** Note that the server has stored an act of this browser. Only the first call writes. */
export function noteActed(id: string): void {
  if (savedMatch(id)?.acted === false) changeMatch(id, { acted: true });
}

export function forgetMatch(id: string): void {
  write(
    'localStorage',
    KEY,
    savedMatches().filter((match) => match.id !== id),
  );
}

function blank(id: string, variant: string): SavedMatch {
  const created = Math.floor(Date.now() / 1000);
  return {
    id,
    variant,
    created,
    opponent: 'link',
    agent: '',
    mine: '',
    here: [],
    secrets: {},
    invitations: {},
    opened: {},
    quick: false,
    acted: false,
    seats: [],
    due: [],
    moved: 0,
    deadline: 0,
    gone: false,
    settled: false,
    ended: false,
    result: '',
    tookBack: 0,
    hints: 0,
    seen: {},
    next: '',
  };
}

/** Save a match that this browser has just made. */
export function saveMade(made: MatchMade, about: Pick<SavedMatch, 'variant' | 'opponent' | 'agent' | 'here'>): void {
  const [first = ''] = about.here;
  const way = about.here.length > 1 ? { mine: '', next: first } : { mine: first, next: '' };
  const { secrets, invitations } = made;
  saveMatch({ ...blank(made.match, about.variant), ...about, ...way, secrets, invitations });
}

/** Save a match in which the seat `side` belongs to the account that is open in this browser; no secret opens it. */
export function saveOwned(id: string, variant: string, side: string): void {
  if (savedMatch(id)) return;
  saveMade({ match: id, secrets: {}, invitations: {} }, { variant, opponent: 'link', agent: '', here: [side] });
}

/** Save an invitation to `side` in place of an earlier one. */
export function saveInvitation(id: string, side: string, invitation: string): void {
  const match = savedMatch(id);
  if (match) saveMatch({ ...match, invitations: { ...match.invitations, [side]: invitation } });
}

const address = (id: string, fragment: string): string => addressOf(`/match/${id}#${fragment}`);

/** Return the link for the player of `side`; empty if this browser has none. */
export function linkFor(match: SavedMatch, side: string): string {
  const invitation = match.invitations[side];
  if (invitation) return address(match.id, INVITE + invitation);
  // Links of older matches hold the secrets of seats.
  const secret = match.secrets[side];
  return secret ? address(match.id, secret) : '';
}

/** Return the link that opens the player's own seat in another browser. */
export const linkToSeat = (id: string, secret: string): string => address(id, secret);

/** Return the side for which this browser made the link, if it did. Its maker would use up the link by opening it. */
export function findOwnLink(id: string, link: string): string | undefined {
  const made = Object.entries(savedMatch(id)?.invitations ?? {});
  return made.find(([, invitation]) => link === INVITE + invitation)?.[0];
}

/** Take the seat of a link for this tab, even if the browser has another seat of the match. The secret for an
 * invitation is stored before it is sent, because an invitation opens its seat only once. Return whether the page may
 * go on: a browser that stores nothing may open only links that work again.
 */
export function enterByLink(id: string, link: string): boolean {
  const match = savedMatch(id) ?? blank(id, '');
  const secret = link.startsWith(INVITE) ? openInvitation(match, link.slice(INVITE.length)) : link;
  if (!Object.values(match.secrets).includes(secret)) match.secrets = { ...match.secrets, '?': secret };
  const stored = write('sessionStorage', SEAT + id, secret) && saveMatch(match);
  return stored || !link.startsWith(INVITE);
}

function openInvitation(match: SavedMatch, invitation: string): string {
  const secret = match.opened[invitation] ?? newSecret();
  match.opened = { ...match.opened, [invitation]: secret };
  return secret;
}

/** Return the invitation that `secret` opens; empty for other secrets. */
export function invitationOf(id: string, secret: string): string {
  const opened = Object.entries(savedMatch(id)?.opened ?? {});
  return opened.find(([, own]) => own === secret)?.[0] ?? '';
}

/** Return the secret of this tab's seat; empty for a spectator. */
export function seatSecret(id: string): string {
  const match = savedMatch(id);
  const tab = read('sessionStorage', SEAT + id, isText, '');
  if (tab !== '') return tab;
  return match ? (match.secrets[match.mine] ?? match.secrets['?'] ?? '') : '';
}

/** Save the side that the server has named for a secret. */
export function learnSide(id: string, secret: string, side: string, variant: string): void {
  const match = savedMatch(id);
  if (!match || side === '') return;
  const { '?': _, ...secrets } = { ...match.secrets, [side]: secret };
  if (isShared(match)) saveMatch({ ...match, variant, secrets });
  else saveMatch({ ...match, variant, secrets, mine: match.mine || side, here: [match.mine || side] });
}

/** Drop a secret without a seat. Drop the match too if the browser knows nothing else of it. */
export function refuseSecret(id: string, secret: string): void {
  forget('sessionStorage', SEAT + id);
  const match = savedMatch(id);
  if (!match) return;
  const others = (known: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(known).filter(([, own]) => own !== secret));
  const secrets = others(match.secrets);
  if (Object.keys(secrets).length === 0) forgetMatch(id);
  else saveMatch({ ...match, secrets, opened: others(match.opened) });
}
