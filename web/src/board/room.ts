// Attributes on the frame for parts that are not always on the screen. `:has()` would do the same, but then the browser
// would compute all styles of the page again after every change.

/** Action: while the element exists, the frame has `data-with-<name>`. */
export function tells(element: HTMLElement, name: string): { destroy: () => void } {
  const frame = element.closest<HTMLElement>('.table');
  change(frame, name, 1);
  return { destroy: () => change(frame, name, -1) };
}

/** Count the elements of one name. */
function change(frame: HTMLElement | null, name: string, by: number): void {
  if (!frame) return;
  const attribute = `data-with-${name}`;
  const count = Number(frame.getAttribute(attribute) ?? 0) + by;
  if (count > 0) frame.setAttribute(attribute, String(count));
  else frame.removeAttribute(attribute);
}
