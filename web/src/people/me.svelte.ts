// Whose session this browser has. The session itself is a cookie that scripts cannot read; the page keeps the name of
// the account (empty for a guest), so that it shows the name without asking the server.

import { forget, isText, read, write } from '../browser/storage';
import type { Me } from '../protocol/messages';

const KEY = 'gonfalon.account';

let name = $state(read<string | null>('localStorage', KEY, isText, null));

/** Name of the account that is open in this browser; empty for a guest, and if there is none. */
export const accountName = (): string => name ?? '';
/** Whether this browser has a session, of an account or of a guest. */
export const hasSession = (): boolean => name !== null;

/** Remember what the server has said about the session. */
export function note(me: Pick<Me, 'name' | 'guest'>): void {
  name = me.name || me.guest ? me.name : null;
  if (name === null) forget('localStorage', KEY);
  else write('localStorage', KEY, name);
}
