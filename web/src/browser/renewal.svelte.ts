// A newer page on the server: parts that this page has not loaded yet are gone.

export const renewal = $state({ missed: false });

/** Vite reports a part of the page that cannot be loaded. If the server does not answer at all, other code says so. */
export function watchParts(): void {
  addEventListener('vite:preloadError', () => {
    fetch('/', { cache: 'no-store' }).then(
      ({ ok }) => (renewal.missed ||= ok),
      () => {},
    );
  });
}
