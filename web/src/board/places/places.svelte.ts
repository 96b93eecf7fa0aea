// Places of all boards: each is a button for pointer, touch and keys.

import type { BoardProps } from '../board';
import { dragging } from '../../browser/drag.svelte';

/** Space of the button that an event comes from; empty for none. */
const spaceOf = ({ target }: Event): string =>
  (target instanceof Element && target.closest<HTMLElement>('[data-space]')?.dataset.space) || '';

/** Call `hear` with the space of a button's event. */
function about<E extends Event>(hear: (id: string, event: E) => void): (event: E) => void {
  return (event) => {
    const id = spaceOf(event);
    if (id !== '') hear(id, event);
  };
}

interface Ways {
  /** Target of a key on a space. */
  next: (id: string, key: string) => string | undefined;
  /** Space that Tab leads to before the player has chosen any. */
  first: () => string;
  root: () => HTMLElement;
  /** Spaces with a common outline. */
  linked: () => ReadonlySet<string> | undefined;
  /** Called with the space under the pointer, the focused or the tapped one. */
  look?: (id: string) => void;
  /** Size of a dragged banner in pixels; by default the size of its place. */
  size?: () => number;
}

export class PlaceButtons {
  /** Space that had the focus last. */
  roving = $state('');
  /** Space whose banner the player is dragging. */
  dragged = $state('');

  private readonly known = $derived.by(() => new Set(this.props().board.spaces.map(({ id }) => id)));
  private readonly tabStop = $derived.by(() => (this.known.has(this.roving) ? this.roving : this.ways.first()));
  private readonly tinted = $derived.by(() => new Map(this.props().tints?.map((tint) => [tint.place, tint.kind])));
  /** Facts that all spaces need, computed once. */
  private readonly now = $derived.by(() => {
    const { steps, path = [], zone, lift } = this.props();
    return { steps, path, zone, lift, linked: this.ways.linked() };
  });
  private readonly occupied = $derived.by(() => new Set(this.props().tokens.map((token) => token.place)));

  constructor(
    private readonly props: () => BoardProps,
    private readonly ways: Ways,
  ) {}

  /** Classes of a space by its present part in a choice. */
  classes(id: string): string {
    const { steps, path, zone, linked, lift } = this.now;
    const step = steps?.has(id);
    const told = {
      step,
      // Only steps get this class: if every space had it, each press would change all spaces.
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

  /** Return the tab index of a space: Tab reaches only one of all spaces (roving tab index). */
  tab = (id: string): 0 | -1 => (id === this.tabStop ? 0 : -1);

  pressed = (id: string): 'true' | undefined => (this.now.path.includes(id) ? 'true' : undefined);

  /** Event handlers for the element around the buttons: one handler of each kind serves all buttons. */
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
    // Some browsers do not focus a tapped button.
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
