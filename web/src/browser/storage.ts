// Reads and writes the browser's storage. Stored values may be old, edited or broken; then readers get the fallback. If
// the storage is full, missing or forbidden, this page keeps the values until it is closed.

import { storageOf, type Area } from './features';

export type Guard<T> = (value: unknown) => value is T;

/** Values that the browser did not store. */
const unstored = new Map<string, string>();
const placeOf = (area: Area, key: string): string => `${area} ${key}`;

export function read<T>(area: Area, key: string, guard: Guard<T>, fallback: T): T {
  try {
    const value: unknown = JSON.parse(unstored.get(placeOf(area, key)) ?? storageOf(area).getItem(key) ?? 'null');
    return guard(value) ? value : fallback;
  } catch {
    return fallback;
  }
}

/** Return whether the value was stored, so that it is there after a reload. */
export function write(area: Area, key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    storageOf(area).setItem(key, text);
    unstored.delete(placeOf(area, key));
    return true;
  } catch {
    unstored.set(placeOf(area, key), text);
    return false;
  }
}

export function forget(area: Area, key: string): void {
  unstored.delete(placeOf(area, key));
  try {
    storageOf(area).removeItem(key);
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
