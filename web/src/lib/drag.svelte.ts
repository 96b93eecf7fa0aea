// Dragging a banner with mouse, pen or finger. A press that does not move stays a click.

export interface Ghost {
  side: string;
  face: string;
  x: number;
  y: number;
  size: number;
}

const SLACK_PX = 7;

class Dragging {
  ghost = $state.raw<Ghost | null>(null);
  /** The space under the pointer. */
  over = $state('');
  /** The click that ends a drag is not a choice. */
  private justDropped = false;

  /** True once after a drag: the click that follows it is to be ignored. */
  swallowsClick(): boolean {
    const swallowed = this.justDropped;
    this.justDropped = false;
    return swallowed;
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
