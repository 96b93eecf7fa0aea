// The matches that this browser knows: secrets of seats, who plays here, what was seen. Kept in localStorage only.

import { addressOf } from './links';
import { forget, isList, isRecord, isText, isTextRecord, newSecret, read, write } from '../browser/storage';
import type { Ending, MatchMade } from '../protocol/messages';

export type Opponent = 'agent' | 'link' | 'device' | 'mixed';
const OPPONENTS: readonly unknown[] = ['agent', 'link', 'device', 'mixed'];

export interface SavedMatch {
  id: string;
  variant: string;
  created: number;
  opponent: Opponent;
  agent: string;
  /** The side played here; empty where several are, and until the server has said it. */
  mine: string;
  /** All sides played on this device. With several, a curtain hides the board between turns. */
  here: string[];
  /** By side; a seat opened by link stands under '?' until the server has said its side. */
  secrets: Record<string, string>;
  /** By side: what the links to guests open, in the browser that made the match. */
  invitations: Record<string, string>;
  /** By invitation: the secret that this browser has made to open it. Both together can be sent again. */
  opened: Record<string, string>;
  /** Made by one click, without house rules. */
  quick: boolean;
  /** Something that was done here is stored. */
  acted: boolean;
  ended: boolean;
  /** The side that won, `draw`, or empty where it is not known. */
  result: string;
  /** How often its player took a move back, and how many hints he was given. */
  tookBack: number;
  hints: number;
  /** One device: the last step each side has been shown, and whose turn is next. */
  seen: Record<string, number>;
  next: string;
}

const KEY = 'gonfalon.matches';
const SEAT = 'gonfalon.seat.';
/** What stands before an invitation in a link, where otherwise the secret of a seat stands. */
const INVITE = 'invite.';

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
    ended: value.ended === true,
    result: isText(value.result) ? value.result : '',
    tookBack: typeof value.tookBack === 'number' ? value.tookBack : 0,
    hints: typeof value.hints === 'number' ? value.hints : 0,
    seen: Object.fromEntries(seen.filter((entry): entry is [string, number] => typeof entry[1] === 'number')),
    next: isText(value.next) ? value.next : '',
  };
}

/** Several people play on this device. */
export const isShared = (match: SavedMatch | undefined): boolean => match !== undefined && match.here.length > 1;

/** A move was taken back, or a hint given. */
export const isAided = ({ tookBack, hints }: SavedMatch): boolean => tookBack + hints > 0;

/** Newest first. Read anew each time: another tab may have written. */
export function savedMatches(): SavedMatch[] {
  const all = read(localStorage, KEY, isList, []).map(clean);
  return all.filter((match) => match !== null).sort((a, b) => b.created - a.created);
}

export const savedMatch = (id: string): SavedMatch | undefined => savedMatches().find((match) => match.id === id);

export function saveMatch(match: SavedMatch): boolean {
  return write(localStorage, KEY, [match, ...savedMatches().filter((other) => other.id !== match.id)].slice(0, 200));
}

export function changeMatch(id: string, change: Partial<SavedMatch>): void {
  const match = savedMatch(id);
  if (match) saveMatch({ ...match, ...change });
}

export function endMatch(id: string, { winner, reason }: Ending): void {
  changeMatch(id, { ended: true, result: winner || (reason === 'no-result' ? '' : 'draw') });
}

/** Once is enough. */
export function noteActed(id: string): void {
  if (savedMatch(id)?.acted === false) changeMatch(id, { acted: true });
}

export function forgetMatch(id: string): void {
  write(
    localStorage,
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
    ended: false,
    result: '',
    tookBack: 0,
    hints: 0,
    seen: {},
    next: '',
  };
}

/** A match just made here. */
export function saveMade(made: MatchMade, about: Pick<SavedMatch, 'variant' | 'opponent' | 'agent' | 'here'>): void {
  const [first = ''] = about.here;
  const way = about.here.length > 1 ? { mine: '', next: first } : { mine: first, next: '' };
  const { secrets, invitations } = made;
  saveMatch({ ...blank(made.match, about.variant), ...about, ...way, secrets, invitations });
}

/** Takes the place of an earlier invitation to `side`. */
export function saveInvitation(id: string, side: string, invitation: string): void {
  const match = savedMatch(id);
  if (match) saveMatch({ ...match, invitations: { ...match.invitations, [side]: invitation } });
}

const address = (id: string, fragment: string): string => addressOf(`/match/${id}#${fragment}`);

/** The link to send to who shall play `side`; empty where this browser has none. */
export function linkFor(match: SavedMatch, side: string): string {
  const invitation = match.invitations[side];
  if (invitation) return address(match.id, INVITE + invitation);
  // Matches that were made when links were seats' own secrets.
  const secret = match.secrets[side];
  return secret ? address(match.id, secret) : '';
}

/** The link by which a person goes on in another browser. */
export const linkToSeat = (id: string, secret: string): string => address(id, secret);

/** The side to which this browser has made the link: by mistake its maker would use it up. */
export function findOwnLink(id: string, link: string): string | undefined {
  const made = Object.entries(savedMatch(id)?.invitations ?? {});
  return made.find(([, invitation]) => link === INVITE + invitation)?.[0];
}

/** A seat's link was opened in this tab: the tab keeps to that seat, even where the browser holds another. What opens
 * an invitation is kept before it is sent. Whether it could be.
 */
export function enterByLink(id: string, link: string): boolean {
  const match = savedMatch(id) ?? blank(id, '');
  const secret = link.startsWith(INVITE) ? openInvitation(match, link.slice(INVITE.length)) : link;
  if (!Object.values(match.secrets).includes(secret)) match.secrets = { ...match.secrets, '?': secret };
  return saveMatch(match) && write(sessionStorage, SEAT + id, secret);
}

function openInvitation(match: SavedMatch, invitation: string): string {
  const secret = match.opened[invitation] ?? newSecret();
  match.opened = { ...match.opened, [invitation]: secret };
  return secret;
}

/** The invitation that `secret` opens; empty for other secrets. */
export function invitationOf(id: string, secret: string): string {
  const opened = Object.entries(savedMatch(id)?.opened ?? {});
  return opened.find(([, own]) => own === secret)?.[0] ?? '';
}

/** The secret this tab plays with; empty for a spectator. */
export function seatSecret(id: string): string {
  const match = savedMatch(id);
  const tab = read(sessionStorage, SEAT + id, isText, '');
  if (tab !== '') return tab;
  return match ? (match.secrets[match.mine] ?? match.secrets['?'] ?? '') : '';
}

/** The server has said which side a secret plays. */
export function learnSide(id: string, secret: string, side: string, variant: string): void {
  const match = savedMatch(id);
  if (!match || side === '') return;
  const { '?': _, ...secrets } = { ...match.secrets, [side]: secret };
  if (isShared(match)) saveMatch({ ...match, variant, secrets });
  else saveMatch({ ...match, variant, secrets, mine: match.mine || side, here: [match.mine || side] });
}

/** The server knows no seat for this secret: it is not kept, and a match known by nothing else neither. */
export function refuseSecret(id: string, secret: string): void {
  forget(sessionStorage, SEAT + id);
  const match = savedMatch(id);
  if (!match) return;
  const others = (known: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(known).filter(([, own]) => own !== secret));
  const secrets = others(match.secrets);
  if (Object.keys(secrets).length === 0) forgetMatch(id);
  else saveMatch({ ...match, secrets, opened: others(match.opened) });
}
