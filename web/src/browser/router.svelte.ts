// Addresses of the page. Links are ordinary HTML links; this module handles clicks on them.

import { ADDRESSES, type Param, type ScreenName } from './addresses';
import { dropFragment, pushAddress } from './features';

export interface Route {
  name: 'start' | ScreenName | 'unknown';
  param: string;
}

/** Characters of an ID, and of the secret in a link to a seat. Mail programs and messengers add others at the end. */
const ID = /^[\w-]+/;
const SECRET = /^(?:invite\.)?[\w-]+/;
/** The sign `#`, or its code, also if a program has encoded it twice. */
const FRAGMENT = /#|%(?:25)*23/i;
const INVISIBLE = /[\p{Cf}\s]/gu;

const isScreen = (name: string): name is ScreenName => Object.hasOwn(ADDRESSES, name);

function parse(path: string): Route {
  const [first = '', param = '', ...more] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decode);
  if (first === '') return { name: 'start', param: '' };
  const refused: Param = param === '' ? 'needed' : 'none';
  if (!isScreen(first) || more.length > 0 || ADDRESSES[first] === refused) return { name: 'unknown', param: '' };
  return { name: first, param: first === 'match' || first === 'replay' ? (ID.exec(param)?.[0] ?? param) : param };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const here = $state({ path: location.pathname, route: parse(location.pathname), visit: 0 });

export const route = (): Route => here.route;
/** Number of the navigation, so that a link to the present address opens it anew. */
export const visit = (): number => here.visit;

export function go(path: string): void {
  if (!pushAddress(path)) return;
  update();
  scrollTo(0, 0);
}

function update(): void {
  here.path = location.pathname;
  here.route = parse(location.pathname);
  here.visit += 1;
}

/** Take the secret of a seat's link out of the URL and return it. In a damaged link, the secret stands in the path or
 * query, and punctuation or invisible letters surround it.
 */
export function takeFragment(): string {
  if (here.route.name !== 'match') return '';
  const [, ...parts] = (location.pathname + location.search + location.hash).split(FRAGMENT);
  const secrets = parts.map(
    (part) =>
      SECRET.exec(
        decode(part)
          .replace(INVISIBLE, '')
          .replace(/^[^\w-]+/, ''),
      )?.[0] ?? '',
  );
  const secret = secrets.find((each) => each !== '') ?? '';
  if (secret !== '') dropFragment(`/match/${here.route.param}`);
  here.path = location.pathname;
  return secret;
}

/** Follow links and the browser's history. `arrive`: called at every new address, before the page shows it. */
export function listen(arrive: () => void): void {
  addEventListener('popstate', () => {
    // For an anchor in the same rules, the browser scrolls by itself.
    if (here.route.name === 'rules' && location.pathname === here.path) return;
    update();
    arrive();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target !== '' || link.origin !== location.origin || link.hasAttribute('download')) return;
    if (link.pathname === location.pathname && link.hash !== '' && here.route.name !== 'match') return;
    event.preventDefault();
    go(link.pathname + link.hash);
  });
}
