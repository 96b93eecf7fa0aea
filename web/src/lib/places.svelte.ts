// What the places of all boards have in common: each is a button by pointer, touch and keys alike.

import type { BoardProps } from './board';
import { dragging } from './drag.svelte';
import type { Space } from './messages';

export interface PlacesProps extends BoardProps {
  /** Spaces outlined together. */
  linked?: ReadonlySet<string>;
  /** The space that is looked at: pointed at, focused or tapped. */
  look?: (id: string) => void;
}

interface Ways {
  /** Where a key leads from a space. */
  next: (id: string, key: string) => string | undefined;
  /** The space that Tab leads to before any was chosen. */
  first: () => string;
  root: () => HTMLElement;
  /** How large a dragged banner is, in pixels; else as its place. */
  size?: () => number;
}

export class PlaceButtons {
  /** The space that had the focus last. */
  roving = $state('');
  /** The space whose banner is being dragged. */
  dragged = $state('');

  private readonly known = $derived.by(() => new Set(this.props().board.spaces.map(({ id }) => id)));
  private readonly tabStop = $derived.by(() => (this.known.has(this.roving) ? this.roving : this.ways.first()));
  private readonly tinted = $derived.by(() => new Map(this.props().tints?.map((tint) => [tint.place, tint.kind])));
  /** What all spaces ask for, asked for once. */
  private readonly now = $derived.by(() => {
    const { steps, path = [], zone, linked, lift } = this.props();
    return { steps, path, zone, linked, lift };
  });
  private readonly label = $derived.by(() => this.props().label);
  /** Handlers by space: they stay the same, so that a browser need not change them. */
  private readonly handlers = new Map<string, ReturnType<PlaceButtons['listen']>>();
  private readonly occupied = $derived.by(() => new Set(this.props().tokens.map((token) => token.place)));

  constructor(
    private readonly props: () => PlacesProps,
    private readonly ways: Ways,
  ) {}

  /** What a space is just now, as classes. */
  classes(id: string): Record<string, boolean> {
    const { steps, path, zone, linked, lift } = this.now;
    return {
      [this.tinted.get(id) ?? 'plain']: true,
      step: steps?.has(id) ?? false,
      start: path.length === 0,
      chosen: path.includes(id),
      occupied: this.occupied.has(id),
      zone: zone?.has(id) ?? false,
      linked: linked?.has(id) ?? false,
      over: dragging.over === id,
      grips: lift?.(id) != null,
    };
  }

  /** Attributes and handlers of a space's button. */
  button(space: Space) {
    const { id } = space;
    let handlers = this.handlers.get(id);
    if (!handlers) this.handlers.set(id, (handlers = this.listen(id)));
    return {
      ...handlers,
      type: 'button' as const,
      'data-space': id,
      'aria-label': this.label(space),
      'aria-pressed': this.now.path.includes(id) ? ('true' as const) : undefined,
      tabindex: id === this.tabStop ? 0 : -1,
    };
  }

  private listen(id: string) {
    // Kept, since a button that is taken away loses the focus when nothing can be asked for any more.
    const { look } = this.props();
    return {
      onclick: () => this.click(id),
      onpointerdown: (event: PointerEvent) => this.press(event, id),
      oncontextmenu: (event: MouseEvent) => {
        if (this.props().mark?.(id)) event.preventDefault();
      },
      onfocus: () => ((this.roving = id), look?.(id)),
      onblur: () => look?.(''),
      onpointerenter: () => look?.(id),
      onpointerleave: () => look?.(''),
      onkeydown: (event: KeyboardEvent) => this.keydown(event, id),
    };
  }

  private keydown(event: KeyboardEvent, id: string): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = this.ways.next(id, event.key);
    if (next) this.focus(next);
    else if (event.key === 'Escape') this.props().escape?.();
    else if (event.key === 'm') this.props().mark?.(id);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.props().remove?.(id);
    else return;
    event.preventDefault();
  }

  private focus(id: string): void {
    this.roving = id;
    this.ways
      .root()
      .querySelector<HTMLElement>(`[data-space="${CSS.escape(id)}"]`)
      ?.focus();
  }

  private click(id: string): void {
    if (dragging.swallowsClick()) return;
    // A tap does not focus a button everywhere.
    this.props().look?.(id);
    this.props().pick?.(id);
  }

  private press(event: PointerEvent, id: string): void {
    const { lift, lifted, drop, mark } = this.props();
    const piece = lift?.(id);
    if (!piece) return dragging.hold(event, () => mark?.(id) ?? false);
    const up = () => {
      this.dragged = id;
      lifted?.(id);
    };
    const down = (to: string) => {
      this.dragged = '';
      drop?.(id, to);
    };
    dragging.start(event, piece, up, down, this.ways.size?.());
  }
}
