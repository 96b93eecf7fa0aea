// Addresses of the page's screens. The build gives the table to the server, which answers others with 404.

/** Whether an address goes on after the name of its screen: `/match/ID` must, `/rules` or `/rules/duel` may. After
 * `/lobby` comes the name of an account to challenge.
 */
export type Param = 'none' | 'optional' | 'needed';

export const ADDRESSES = {
  new: 'needed',
  rules: 'optional',
  lobby: 'optional',
  match: 'needed',
  replay: 'optional',
  matches: 'none',
  settings: 'none',
  about: 'none',
  account: 'none',
  player: 'needed',
  privacy: 'none',
  leaderboards: 'optional',
} as const satisfies Record<string, Param>;

export type ScreenName = keyof typeof ADDRESSES;
