// The calls about people: accounts, log-ins, profiles.

import { call } from '../protocol/api';
import type {
  AccountPage,
  Codes,
  KeptData,
  Leaderboard,
  Me,
  PasskeyAnswer,
  PasskeyChallenge,
  PlayedMatches,
  Profile,
} from '../protocol/messages';

const part = encodeURIComponent;

export const me = (): Promise<Me> => call('/api/me');
export const makeGuest = (): Promise<Me> => call('/api/guests', {});
export const makeAccount = (name: string, password: string): Promise<Codes> =>
  call('/api/accounts', { name, password });
export const logIn = (name: string, password: string): Promise<Me> => call('/api/login', { name, password });
export const recover = (name: string, code: string, password: string): Promise<Me> =>
  call('/api/login/recovery', { name, code, password });
export const logOut = (everywhere: boolean): Promise<Me> => call('/api/logout', { everywhere });

export const passkeyOfAccount = (name: string): Promise<PasskeyChallenge> =>
  call('/api/accounts/passkey/options', { name });
export const makeAccountByPasskey = (answer: PasskeyAnswer): Promise<Codes> => call('/api/accounts/passkey', answer);
export const passkeyOfLogIn = (): Promise<PasskeyChallenge> => call('/api/login/passkey/options', {});
export const logInByPasskey = (answer: PasskeyAnswer): Promise<Me> => call('/api/login/passkey', answer);
export const onePasskeyMore = (): Promise<PasskeyChallenge> => call('/api/account/passkeys/options', {});
export const addPasskey = (answer: PasskeyAnswer): Promise<null> => call('/api/account/passkeys', answer);
export const removePasskey = (id: string): Promise<null> => call('/api/account/passkeys/remove', { id });

export const account = (): Promise<AccountPage> => call('/api/account');
export const changePassword = (old: string, fresh: string): Promise<null> =>
  call('/api/account/password', { old, new: fresh });
export const renewCodes = (password: string): Promise<Codes> => call('/api/account/codes', { password });
export const endSession = (id: string): Promise<null> => call('/api/account/sessions/end', { id });
export const block = (name: string, on: boolean): Promise<null> => call('/api/account/blocks', { name, on });
export const deleteAccount = (password: string): Promise<Me> => call('/api/account/delete', { password });

export const keptData = (): Promise<KeptData[]> => call('/api/privacy');
export const profile = (name: string): Promise<Profile> => call(`/api/people/${part(name)}`);

/** Return a leaderboard: of a game, a kind of opponents and a speed class. */
export function leaderboard(variant: string, pool: Leaderboard['pool'], speed: Leaderboard['speed']) {
  const query = new URLSearchParams({ pool, speed });
  return call<Leaderboard>(`/api/leaderboards/${part(variant)}?${query}`);
}

/** Choice of finished matches; empty values choose all. */
export interface Filter {
  variant: string;
  opponent: string;
  agent: string;
}

export function played(name: string, filter: Filter, before: string): Promise<PlayedMatches> {
  const query = new URLSearchParams({ ...filter, before });
  return call(`/api/people/${part(name)}/matches?${query}`);
}
