import { beforeAll, beforeEach, expect, test } from 'vitest';
import { go, listen, route, takeFragment, visit } from '../../src/browser/router.svelte';

const arrivals: string[] = [];
beforeAll(() => listen(() => arrivals.push(route().param)));
beforeEach(() => go('/'));

function at(path: string): string {
  go(path);
  return `${route().name} ${route().param}`.trim();
}

test('addresses of the page', () => {
  expect(at('/')).toBe('start');
  expect(at('/new/duel')).toBe('new duel');
  expect(at('/match/abc')).toBe('match abc');
  expect(at('/replay')).toBe('replay');
  expect(at('/replay/abc')).toBe('replay abc');
  expect(at('/settings')).toBe('settings');
  expect(at('/about')).toBe('about');
  expect(at('/rules')).toBe('rules');
  expect(at('/rules/a%20b/')).toBe('rules a b');
});

test('what is no address of the page', () => {
  for (const path of ['/new', '/match', '/settings/x', '/about/x', '/nothing', '/match/a/b'])
    expect(at(path)).toBe('unknown');
  expect(at('/new/%E0%A4%A')).toBe('new %E0%A4%A');
});

test('the same address can be opened anew', () => {
  go('/matches');
  const before = visit();
  go('/matches');
  expect(visit()).toBe(before + 1);
});

test("a seat's secret is taken out of the address", () => {
  go('/match/abc#s_t-');
  expect(takeFragment()).toBe('s_t-');
  expect(location.hash).toBe('');
  go('/match/abc#-s_t');
  expect(takeFragment()).toBe('-s_t');
  go('/rules/duel#moves');
  expect(takeFragment()).toBe('');
  expect(location.hash).toBe('#moves');
});

test('a damaged link opens its seat', () => {
  const damaged = [
    '/match/a-b?language=de#invite.s_t.',
    '/match/a-b#invite.s_t)',
    '/match/a-b#invite.s_t%E2%80%8B',
    '/match/a-b#%E2%80%8Binvite.s_%E2%80%8Bt',
    '/match/a-b#invite%2Es_t%20%C2%BB',
    '/match/a-b%23invite.s_t',
    '/match/a-b%2523invite.s_t%3E',
    '/match/a-b%E2%80%8B#invite.s_t',
    '/match/a-b%23invite.s_t?fbclid=x',
    '/match/a-b?language=de%23invite.s_t',
    '/match/a-b?language=de%23invite.s_t&fbclid=x',
    '/match/a-b?language=de%23invite.s_t.#',
  ];
  for (const link of damaged) {
    go(link);
    expect([link, takeFragment(), route().param]).toEqual([link, 'invite.s_t', 'a-b']);
    expect(location.pathname + location.search + location.hash).toBe('/match/a-b');
  }
  expect(at('/match/a-b.')).toBe('match a-b');
  expect(at('/replay/a-b)')).toBe('replay a-b');
});

test('whoever listens hears of an address that the browser comes to by itself', () => {
  history.pushState(null, '', '/match/xyz#secret');
  dispatchEvent(new PopStateEvent('popstate'));
  expect(arrivals).toEqual(['xyz']);
});

test('clicks on links of the page are taken over', () => {
  document.body.innerHTML = '<a id="in" href="/settings"><b>in</b></a><a id="out" href="https://example.org/">out</a>';
  const click = (id: string, keys: MouseEventInit = {}): boolean => {
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...keys });
    // The page leaves this link to the browser; do not follow it in the test.
    addEventListener('click', (last) => last.preventDefault(), { once: true });
    document.querySelector(`#${id}`)?.dispatchEvent(event);
    return route().name === 'settings';
  };
  expect(click('out')).toBe(false);
  expect(click('in', { ctrlKey: true })).toBe(false);
  expect(click('in')).toBe(true);
});
