// Where the focus goes when what had it is gone.

/** For `use:`: the element takes the focus once it stands on the page. */
export function focused(node: HTMLElement): void {
  requestAnimationFrame(() => node.focus());
}

/** Keys typed there are letters of a text. */
export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea, select');
