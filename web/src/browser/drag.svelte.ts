// Dragging a banner with mouse, pen or finger. A press without movement stays a click.

export interface Ghost {
  side: string;
  face: string;
  x: number;
  y: number;
  size: number;
}

const SLACK_PX = 7;
const HOLD_MS = 500;

class Dragging {
  ghost = $state.raw<Ghost | null>(null);
  /** Space under the pointer. */
  over = $state('');
  /** Whether a drag has just ended; the click that follows it is not a choice. */
  private justDropped = false;

  /** Return true once after a drag: the caller must ignore that click. */
  swallowsClick(): boolean {
    const swallowed = this.justDropped;
    this.justDropped = false;
    return swallowed;
  }

  /** Wait for a long press of finger or pen without movement. `held` returns whether the long press had an effect. A
   * mouse has a second button instead: a slow click stays a click.
   */
  hold(event: PointerEvent, held: () => boolean): void {
    if (event.button !== 0 || !event.isPrimary) return;
    this.justDropped = false;
    if (event.pointerType === 'mouse') return;
    const ends = new AbortController();
    const { signal } = ends;
    const timer = setTimeout(() => {
      this.justDropped = held();
      // The click comes later, when the player lifts the finger.
      if (this.justDropped)
        addEventListener('pointerup', () => setTimeout(() => (this.justDropped = false)), { once: true });
    }, HOLD_MS);
    const end = (): void => {
      ends.abort();
      clearTimeout(timer);
    };
    const move = (now: PointerEvent): void => {
      if (Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) >= SLACK_PX) end();
    };
    addEventListener('pointermove', move, { signal });
    addEventListener('pointerup', end, { signal });
    addEventListener('pointercancel', end, { signal });
  }

  start(
    event: PointerEvent,
    piece: { side: string; face: string },
    lifted: () => void,
    dropped: (space: string) => void,
    wide?: number,
  ): void {
    if (event.button !== 0 || !event.isPrimary) return;
    this.justDropped = false;
    const from = event.currentTarget as Element;
    const size = wide ?? from.getBoundingClientRect().height;
    const ends = new AbortController();
    const move = (now: PointerEvent) => {
      if (!this.ghost && Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) < SLACK_PX) return;
      if (!this.ghost) lifted();
      this.ghost = { ...piece, x: now.clientX, y: now.clientY, size };
      this.over = spaceAt(now);
    };
    const end = (last: PointerEvent | null) => {
      ends.abort();
      if (!this.ghost) return;
      this.ghost = null;
      this.over = '';
      this.justDropped = true;
      setTimeout(() => (this.justDropped = false));
      if (last) dropped(spaceAt(last));
    };
    const { signal } = ends;
    addEventListener('pointermove', move, { signal });
    addEventListener('pointerup', end, { signal });
    addEventListener('pointercancel', () => end(null), { signal });
  }
}

function spaceAt(event: PointerEvent): string {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  return under?.closest<HTMLElement>('[data-space]')?.dataset.space ?? '';
}

export const dragging = new Dragging();
