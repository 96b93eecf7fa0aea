// Detects that the server has a newer version of the page. Scripts of the old version that this page has not loaded yet
// are then missing on the server.

export const renewal = $state({ missed: false });

/** Watch for Vite's report of a part that cannot be loaded. If the server does not answer at all, other code reports
 * it.
 */
export function watchParts(): void {
  addEventListener('vite:preloadError', () => {
    fetch('/', { cache: 'no-store' }).then(
      ({ ok }) => (renewal.missed ||= ok),
      () => {},
    );
  });
}
