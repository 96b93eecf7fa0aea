// A notification about the player's turn while the page is hidden. It shows only public facts of the match.

import { canNotify, makeNotification, mayNotify, requestNotifying } from './features';
import { set, settings } from './settings.svelte';

export type Answer = 'granted' | 'denied' | 'unable';

/** Whether the player wants notifications and the browser still allows them. */
export const notifies = (): boolean => settings.notify === 'on' && canNotify() && mayNotify();

/** Ask the player through the browser, and store the answer. `unable`: the browser allows notifications only to pages
 * with a service worker.
 */
export async function askToNotify(): Promise<Answer> {
  if (!(await requestNotifying())) return 'denied';
  const probe = makeNotification('', { silent: true });
  if (!probe) return 'unable';
  probe.close();
  set('notify', 'on');
  return 'granted';
}

/** Notifications of one match. A new one replaces the one before, and showing the page closes it. */
export class TurnNotifier {
  private call: Notification | null = null;
  private readonly seen = () => document.hidden || this.end();

  constructor(private readonly match: string) {
    document.addEventListener('visibilitychange', this.seen);
  }

  tell(title: string): void {
    if (!document.hidden || !notifies()) return;
    this.end();
    this.call = makeNotification(title, { tag: this.match });
    if (!this.call) return;
    this.call.onclick = () => {
      window.focus();
      this.end();
    };
  }

  end(): void {
    this.call?.close();
    this.call = null;
  }

  close(): void {
    this.end();
    document.removeEventListener('visibilitychange', this.seen);
  }
}
