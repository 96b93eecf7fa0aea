// Reads and writes the browser's storage. Stored values may be old, edited or broken; then readers get the fallback. If
// the storage is full or forbidden, nothing is stored.

export type Guard<T> = (value: unknown) => value is T;

export function read<T>(area: Storage, key: string, guard: Guard<T>, fallback: T): T {
  try {
    const value: unknown = JSON.parse(area.getItem(key) ?? 'null');
    return guard(value) ? value : fallback;
  } catch {
    return fallback;
  }
}

/** Return whether the value was stored. */
export function write(area: Storage, key: string, value: unknown): boolean {
  try {
    area.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function forget(area: Storage, key: string): void {
  try {
    area.removeItem(key);
  } catch {
    // The storage is forbidden, so it holds nothing to forget.
  }
}

/** Return 192 random bits as text that is safe in a URL. Browsers offer no `randomUUID` over plain http, which home
 * networks use.
 */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isTextList = (value: unknown): value is string[] => isList(value) && value.every(isText);

export const isTextRecord = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every(isText);
