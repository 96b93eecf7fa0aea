import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

const load = () => import('../../src/browser/settings.svelte');
const media = (matches: boolean) => vi.stubGlobal('matchMedia', () => ({ matches }));

test('what was chosen is kept, and shown on the document', async () => {
  const first = await load();
  first.set('theme', 'dark');
  first.set('motion', 'reduced');
  expect(document.documentElement.dataset).toMatchObject({ theme: 'dark', motion: 'reduced' });
  vi.resetModules();
  expect((await load()).settings).toMatchObject({ theme: 'dark', motion: 'reduced', names: '' });
});

test('what is no choice is not taken over', async () => {
  localStorage.setItem('gonfalon.settings', JSON.stringify({ theme: 'pink', names: 7 }));
  expect((await load()).settings).toEqual({
    name: '',
    theme: 'auto',
    confirm: 'auto',
    motion: 'auto',
    pace: 'brisk',
    sound: 'on',
    vibration: 'off',
    hints: 'on',
    pencil: 'on',
    tally: 'on',
    notify: 'off',
    language: '',
    names: '',
  });
});

test('moves are confirmed on small screens, unless it was chosen otherwise', async () => {
  const { confirmsMoves, set } = await load();
  media(true);
  expect(confirmsMoves()).toBe(true);
  set('confirm', 'off');
  expect(confirmsMoves()).toBe(false);
  media(false);
  set('confirm', 'on');
  expect(confirmsMoves()).toBe(true);
  set('confirm', 'auto');
  expect(confirmsMoves()).toBe(false);
});
