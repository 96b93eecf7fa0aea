// Moves and checks of the keyboard focus.

/** Action for `use:`: the element takes the focus as soon as it is on the page. */
export function focused(node: HTMLElement): void {
  requestAnimationFrame(() => node.focus());
}

/** Whether keys typed in the element are letters of a text. */
export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea, select');
