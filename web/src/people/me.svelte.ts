// Whose session this browser has. The session itself is a cookie that scripts cannot read; the page keeps the name of
// the account, so that it shows the name without asking the server.

import { forget, isText, read, write } from '../browser/storage';
import type { Me } from '../protocol/messages';

const KEY = 'gonfalon.account';

let name = $state(read('localStorage', KEY, isText, ''));

/** Name of the account that is open in this browser; empty for a guest, and if there is none. */
export const accountName = (): string => name;

/** Remember what the server has said about the session. */
export function note(me: Pick<Me, 'name'>): void {
  name = me.name;
  if (name === '') forget('localStorage', KEY);
  else write('localStorage', KEY, name);
}
