// What takes room on a screen now and then tells the screen so, as an attribute of its frame. (`:has()` on the frame
// would say the same, and have the browser work out the styles of the whole page anew at every change of any part.)

/** An action: while the element is there, the frame has `data-with-<name>`. */
export function tells(element: HTMLElement, name: string): { destroy: () => void } {
  const frame = element.closest<HTMLElement>('.table');
  change(frame, name, 1);
  return { destroy: () => change(frame, name, -1) };
}

/** Several may be there under one name. */
function change(frame: HTMLElement | null, name: string, by: number): void {
  if (!frame) return;
  const attribute = `data-with-${name}`;
  const count = Number(frame.getAttribute(attribute) ?? 0) + by;
  if (count > 0) frame.setAttribute(attribute, String(count));
  else frame.removeAttribute(attribute);
}
