// The server has got a newer page than the one that is open here: parts that were not loaded yet are gone.

export const renewal = $state({ missed: false });

/** Vite tells when a part of the page cannot be loaded. Where the server does not answer at all, others say so. */
export function watchParts(): void {
  addEventListener('vite:preloadError', () => {
    fetch('/', { cache: 'no-store' }).then(
      ({ ok }) => (renewal.missed ||= ok),
      () => {},
    );
  });
}
