// A notification when it is one's turn and the page is out of sight. It says of the match what everybody may know.

import { set, settings } from './settings.svelte';

export type Answer = 'granted' | 'denied' | 'unable';

/** Browsers tell of nothing over plain http, and some have no notifications at all. */
export const canNotify = (): boolean => 'Notification' in window && isSecureContext;

/** It is wanted, and the browser still allows it. */
export const notifies = (): boolean => settings.notify === 'on' && canNotify() && Notification.permission === 'granted';

/** Asks the person, by the browser, and keeps the answer. `unable`: allowed, but only for pages with a service
 * worker.
 */
export async function askToNotify(): Promise<Answer> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  const probe = make('', { silent: true });
  if (!probe) return 'unable';
  probe.close();
  set('notify', 'on');
  return 'granted';
}

function make(title: string, options: NotificationOptions): Notification | null {
  try {
    return new Notification(title, options);
  } catch {
    return null;
  }
}

/** Calls for one match: the same call again takes the place of the one before, and the page's sight ends it. */
export class Herald {
  private call: Notification | null = null;
  private readonly seen = () => document.hidden || this.end();

  constructor(private readonly match: string) {
    document.addEventListener('visibilitychange', this.seen);
  }

  tell(title: string): void {
    if (!document.hidden || !notifies()) return;
    this.end();
    this.call = make(title, { tag: this.match });
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
