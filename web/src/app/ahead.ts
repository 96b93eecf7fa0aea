// The match's screen, which loads while the server makes the match.

export const loadMatch = () => import('../match/Match.svelte');

/** Load the screen while `made` is on its way. If that fails, the screen says so when it is shown. */
export function withMatch<T>(made: Promise<T>): Promise<T> {
  loadMatch().catch(() => {});
  return made;
}
