import { expect, test, vi } from 'vitest';
import { Patience } from '../../src/browser/patience.svelte';

test('what lasts is said to last, until it is over', async () => {
  vi.useFakeTimers();
  const patience = new Patience();
  let end = (_: string): void => {};
  const done = patience.have(new Promise<string>((resolve) => (end = resolve)));
  vi.advanceTimersByTime(1000);
  expect(patience.slow).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(patience.slow).toBe(true);
  end('made');
  expect(await done).toBe('made');
  expect(patience.slow).toBe(false);
  await expect(patience.have(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  vi.useRealTimers();
});
