// The cue that a part of the screen scrolls: `frame.css` draws it while the part has content below its visible end.

import { watchContent } from '../browser/features';

/** Set `data-more` on a part while it has content below its visible end. Used as an attachment. */
export function showMore(part: HTMLElement): () => void {
  let frame = 0;
  const measure = (): void => {
    frame = 0;
    part.toggleAttribute('data-more', part.scrollHeight - part.clientHeight - part.scrollTop > 1);
  };
  // At most once per frame, because measuring makes the browser lay out the page.
  const plan = (): void => {
    frame ||= requestAnimationFrame(measure);
  };
  const unwatch = watchContent(part, plan);
  part.addEventListener('scroll', plan, { passive: true });
  plan();
  return () => {
    cancelAnimationFrame(frame);
    unwatch();
    part.removeEventListener('scroll', plan);
  };
}
