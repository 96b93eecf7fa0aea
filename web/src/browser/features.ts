// The browser's features that may be missing or forbidden. Each of them costs only itself: the page goes on without it.
// No other module names them (`tests/browser/features.test.ts`); `tests/web/test_features.py` takes each of them away.

/** Names of the features, from the window. */
export const FEATURES = [
  'localStorage',
  'sessionStorage',
  'matchMedia',
  'AudioContext',
  'IntersectionObserver',
  'Notification',
  'history.pushState',
  'history.replaceState',
  'document.execCommand',
  'navigator.clipboard',
  'navigator.languages',
  'navigator.share',
  'navigator.userActivation',
  'navigator.vibrate',
  'Date.prototype.toLocaleString',
  'Intl.DisplayNames',
  'Intl.ListFormat',
  'Intl.NumberFormat',
  'Intl.PluralRules',
  'URL.createObjectURL',
] as const;

/** Return the result of `use`. If the browser lacks the feature or refuses it, return `instead`. */
function attempt<T>(use: () => T, instead: T): T {
  try {
    return use();
  } catch {
    return instead;
  }
}

// ---- storage: the callers in `storage.ts` handle the errors

export type Area = 'localStorage' | 'sessionStorage';

/** Return the storage. Raises an error if the browser forbids it. */
export const storageOf = (area: Area): Storage => window[area];

// ---- addresses

/** Go to another address of the page. Without a history, the browser loads the page anew. */
export function pushAddress(path: string): boolean {
  return attempt(() => (history.pushState(null, '', path), true), false) || (location.assign(path), false);
}

/** Replace the address without loading the page. `record`: whether the page keeps a record for this address. */
export const replaceAddress = (path: string, state: unknown = null): void =>
  attempt(() => history.replaceState(state, '', path), undefined);

/** Replace the address by a path without query and fragment. */
export function dropFragment(path: string): void {
  replaceAddress(path);
  // Without a history, a fragment can become empty, but cannot be removed.
  if (location.hash !== '') location.replace('#');
}

// ---- screen

export const matchesMedia = (query: string): boolean => attempt(() => matchMedia(query).matches, false);

/** Call `seen` once when the element scrolls into view, or at once if the browser cannot say when. Return the end of
 * the wait.
 */
export function whenSeen(element: Element, seen: () => void): () => void {
  return (
    attempt(() => {
      const watch = new IntersectionObserver(([entry]) => {
        if (!entry?.isIntersecting) return;
        watch.disconnect();
        seen();
      });
      watch.observe(element);
      return () => watch.disconnect();
    }, null) ?? (seen(), () => {})
  );
}

/** Call `changed` when the element's size or content changes. Return the end of the watch. */
export function watchContent(element: Element, changed: () => void): () => void {
  return attempt(
    () => {
      const [sizes, content] = [new ResizeObserver(changed), new MutationObserver(changed)];
      sizes.observe(element);
      const attributeFilter = ['class', 'aria-expanded', 'hidden', 'open'];
      content.observe(element, { childList: true, subtree: true, characterData: true, attributeFilter });
      return () => (sizes.disconnect(), content.disconnect());
    },
    () => {},
  );
}

/** The browser's passkeys. Only a page with https or on `localhost` has them. */
export const credentials = (): CredentialsContainer => navigator.credentials;

// ---- sharing

/** Return whether the text is in the clipboard now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByField(text);
  }
}

/** Copy in the way of earlier browsers. Over plain http there is no other. */
function copyByField(text: string): boolean {
  const before = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  field.style.position = 'fixed';
  document.body.append(field);
  field.select();
  const copied = attempt(() => document.execCommand('copy'), false);
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}

export const canShare = (): boolean => attempt(() => typeof navigator.share === 'function', false);

/** Open the device's dialog for sharing. A player who closes it has only changed their mind. Return false if the device
 * has no dialog.
 */
export async function share(link: { title: string; url: string }): Promise<boolean> {
  try {
    await navigator.share(link);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

/** Offer a file that the page has made. */
export function download(file: Blob, name: string): void {
  const href = attempt(() => URL.createObjectURL(file), '');
  if (href === '') return;
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

// ---- sound, vibration, notifications

export const makeAudio = (): AudioContext | null => attempt(() => new AudioContext(), null);

export const vibrate = (ms: number): boolean => attempt(() => navigator.vibrate(ms), false);

/** Whether the player has acted on the page; browsers allow sounds only then. A browser that cannot say it decides by
 * itself.
 */
export const hasActed = (): boolean => attempt(() => navigator.userActivation.hasBeenActive, true);

/** Whether notifications are possible. Browsers forbid them over plain http, and some have none at all. */
export const canNotify = (): boolean => attempt(() => isSecureContext && Notification.permission !== undefined, false);

export const mayNotify = (): boolean => attempt(() => Notification.permission === 'granted', false);

/** Ask the player, by the browser, whether the page may notify them. */
export const requestNotifying = async (): Promise<boolean> => {
  try {
    return (await Notification.requestPermission()) === 'granted';
  } catch {
    return false;
  }
};

export const makeNotification = (title: string, options: NotificationOptions): Notification | null =>
  attempt(() => new Notification(title, options), null);

// ---- languages

/** Return the languages that the reader prefers, the most preferred first. */
export const languages = (): readonly string[] => attempt(() => [...navigator.languages], []);

export const nameOfLanguage = (code: string): string =>
  attempt(() => new Intl.DisplayNames([code], { type: 'language' }).of(code), undefined) ?? code;

/** Return a date, usually with its time, in the first of these languages that the browser knows. */
export function formatDate(
  date: Date,
  tags: readonly string[],
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string {
  for (const tag of tags) {
    const text = attempt(() => date.toLocaleString(tag, options), '');
    if (text !== '') return text;
  }
  return date.toISOString().slice(0, 16).replace('T', ' ');
}

/** Return the functions for numbers and lists of one language. Make them once, because `Intl` is slow. */
export function grammarOf(language: string): {
  plural: (count: number) => string;
  list: (items: readonly string[]) => string;
  number: (value: number) => string;
} {
  const plurals = attempt(() => new Intl.PluralRules(language), null);
  const lists = attempt(() => new Intl.ListFormat(language, { type: 'conjunction' }), null);
  const numbers = attempt(() => new Intl.NumberFormat(language, { useGrouping: false }), null);
  return {
    plural: (count) => plurals?.select(count) ?? (count === 1 ? 'one' : 'other'),
    list: (items) => lists?.format(items) ?? items.join(', '),
    number: (value) => numbers?.format(value) ?? String(value),
  };
}
