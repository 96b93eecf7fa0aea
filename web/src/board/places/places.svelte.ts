// What the places of all boards have in common: each is a button by pointer, touch and keys alike.

import type { BoardProps } from '../board';
import { dragging } from '../../browser/drag.svelte';

/** The space whose button an event is about; empty for none. */
const spaceOf = ({ target }: Event): string =>
  (target instanceof Element && target.closest<HTMLElement>('[data-space]')?.dataset.space) || '';

/** Hears what happens to a button, and its space. */
function about<E extends Event>(hear: (id: string, event: E) => void): (event: E) => void {
  return (event) => {
    const id = spaceOf(event);
    if (id !== '') hear(id, event);
  };
}

interface Ways {
  /** Where a key leads from a space. */
  next: (id: string, key: string) => string | undefined;
  /** The space that Tab leads to before any was chosen. */
  first: () => string;
  root: () => HTMLElement;
  /** Spaces outlined together. */
  linked: () => ReadonlySet<string> | undefined;
  /** Hears which space is looked at: pointed at, focused or tapped. */
  look?: (id: string) => void;
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
    const { steps, path = [], zone, lift } = this.props();
    return { steps, path, zone, lift, linked: this.ways.linked() };
  });
  private readonly occupied = $derived.by(() => new Set(this.props().tokens.map((token) => token.place)));

  constructor(
    private readonly props: () => BoardProps,
    private readonly ways: Ways,
  ) {}

  /** Classes that say what a space is just now. */
  classes(id: string): string {
    const { steps, path, zone, linked, lift } = this.now;
    const step = steps?.has(id);
    const told = {
      step,
      // Said of steps only: what is said of every space changes all of them at each press.
      start: step && path.length === 0,
      chosen: path.includes(id),
      occupied: this.occupied.has(id),
      zone: zone?.has(id),
      linked: linked?.has(id),
      over: dragging.over === id,
      grips: lift?.(id) != null,
    };
    const so = Object.entries(told).flatMap(([name, is]) => (is ? [name] : []));
    return [this.tinted.get(id) ?? 'plain', ...so].join(' ');
  }

  /** Where a space's button comes with Tab: one of all does. */
  tab = (id: string): 0 | -1 => (id === this.tabStop ? 0 : -1);

  pressed = (id: string): 'true' | undefined => (this.now.path.includes(id) ? 'true' : undefined);

  /** For the element around the buttons, one of each for all of them. */
  readonly handlers = {
    onclick: about((id) => this.click(id)),
    onpointerdown: about((id, event: PointerEvent) => this.press(event, id)),
    oncontextmenu: about((id, event: MouseEvent) => {
      if (this.props().mark?.(id)) event.preventDefault();
    }),
    onfocusin: about((id) => {
      this.roving = id;
      this.look(id);
    }),
    onfocusout: () => this.look(''),
    onpointerover: (event: PointerEvent) => this.look(spaceOf(event)),
    onpointerleave: () => this.look(''),
    onkeydown: about((id, event: KeyboardEvent) => this.keydown(event, id)),
  };

  private look(id: string): void {
    this.ways.look?.(id);
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
    this.look(id);
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
