import { expect, test, vi } from 'vitest';
import { Wait } from '../../src/browser/wait.svelte';

test('what lasts is said to last, until it is over', async () => {
  vi.useFakeTimers();
  const wait = new Wait();
  let end = (_: string): void => {};
  const done = wait.on(new Promise<string>((resolve) => (end = resolve)));
  vi.advanceTimersByTime(1000);
  expect(wait.slow).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(wait.slow).toBe(true);
  end('made');
  expect(await done).toBe('made');
  expect(wait.slow).toBe(false);
  await expect(wait.on(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  vi.useRealTimers();
});
