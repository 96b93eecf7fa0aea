// The arrangement that a player makes, before or during play: the board's props while the player places pieces, and the
// effect of presses.

import type { Snippet } from 'svelte';
import type { BoardProps } from '../board/board';
import { Deployer } from './deploy.svelte';
import { placedId } from '../board/pieces/keys';
import { labelsOf, contentsOf } from '../board/labels';
import type { Layout } from '../board/layout';
import type { Arrange, Board, Line, MatchInfo, Scene, Space, Token } from '../protocol/messages';
import { isText, read, write } from '../browser/storage';
import type { Words } from '../words/words.svelte';

/** The seat that places pieces, as its match knows it. */
export interface PlacingSeat {
  /** ID of the match. */
  readonly id: string;
  readonly side: string;
  readonly scene: Scene | null;
  readonly info: Pick<MatchInfo, 'variant'> | null;
}

/** Questions to the server about an arrangement. */
export interface PlacingQuestions {
  /** Return a sensible arrangement that keeps the pieces in `at`; null without a connection. */
  suggest: (at: Record<string, string>) => Promise<ReadonlyMap<string, string> | null>;
  /** Return remarks on a complete arrangement. */
  remark: (actions: number[]) => Promise<readonly Line[]>;
}

/** The pieces to place, and their places. */
export interface Task {
  arrange: Arrange;
  board: Board;
  layout: Layout;
}

export class Placing {
  readonly deployer: Deployer;
  /** Result of the last press. */
  said = $state('');
  /** Props of the board that differ from the props during play. */
  readonly shown: Partial<BoardProps>;
  /** The pieces to place, if they are drawn where the player's hand is. */
  tray = $state.raw<Snippet>();
  /** Storage key: an unfinished arrangement survives a reload of this tab. */
  private readonly key: string;

  private readonly placed = $derived.by(() =>
    [...this.deployer.at].map(([place, face]): Token => ({ id: placedId(place), place, side: this.seat.side, face })),
  );
  readonly tokens = $derived.by(() => [
    ...(this.seat.scene?.tokens ?? []).filter((token) => !this.deployer.places.has(token.place)),
    ...this.placed,
  ]);
  readonly path = $derived.by(() => (this.deployer.held?.kind === 'place' ? [this.deployer.held.place] : []));
  readonly steps = $derived.by(() => (this.deployer.held ? this.deployer.places : new Set<string>()));
  private readonly contents = $derived.by(() =>
    contentsOf(this.words, this.task.board.spaces, this.tokens, {
      side: this.seat.side,
      groups: this.seat.scene?.groups,
    }),
  );
  readonly label = $derived.by((): ((space: Space) => string) =>
    labelsOf(this.words, this.contents, { steps: this.steps, path: this.path }),
  );

  /** Result of the last press; if there is none, the number of pieces left. */
  readonly told = $derived.by((): string => {
    const { complete, missing, places, arrange } = this.deployer;
    const { t } = this.words;
    if (this.said !== '') return this.said;
    if (complete) return t('deploy.complete');
    return places.size === 1
      ? t('deploy.choose-for', { space: arrange.places[0] ?? '' })
      : t('deploy.left', { count: missing });
  });

  constructor(
    private readonly seat: PlacingSeat,
    private readonly task: Task,
    private readonly words: Words,
  ) {
    const { arrange, board, layout } = task;
    this.deployer = new Deployer(arrange, board, layout.deploying);
    this.shown = shownOf(this, seat.side, layout.deploying.fromHand);
    this.key = `gonfalon.draft.${seat.id}.${seat.side}`;
    this.restore();
  }

  readonly pick = (id: string): void => {
    const { deployer } = this;
    const before = deployer.at.get(id);
    if (deployer.pickPlace(id)) this.tell(id, before);
    else this.said = this.words.t(deployer.places.has(id) ? 'deploy.choose-first' : 'deploy.not-here');
  };

  private tell(id: string, before: string | undefined): void {
    const { deployer, words } = this;
    const face = deployer.at.get(id);
    if (face !== undefined && face !== before) this.said = words.t('deploy.put', { face, space: id });
    else if (deployer.held?.kind === 'place') this.said = words.t('deploy.picked', { face: face ?? '', space: id });
    else this.said = '';
  }

  readonly lift = (id: string): { side: string; face: string } | null => {
    const face = this.deployer.at.get(id);
    return face === undefined ? null : { side: this.seat.side, face };
  };

  readonly drop = (from: string, to: string): void => {
    const { deployer, words } = this;
    const face = deployer.at.get(from) ?? '';
    if (deployer.places.has(to)) {
      deployer.move(from, to);
      this.said = words.t('deploy.put', { face, space: to });
    } else if (to === '') this.remove(from);
    else this.said = words.t('deploy.not-here');
    deployer.held = null;
  };

  readonly remove = (id: string): void => {
    const face = this.deployer.at.get(id);
    if (face !== undefined && this.deployer.takeBack(id))
      this.said = this.words.t('deploy.taken-back', { face, space: id });
  };

  /** Store the arrangement as places and faces, because an unfinished arrangement has no text. */
  keepDraft(): void {
    write('sessionStorage', this.key, JSON.stringify({ turn: this.seat.scene?.turn, at: [...this.deployer.at] }));
  }

  forgetDraft(): void {
    write('sessionStorage', this.key, '{}');
  }

  private restore(): void {
    const { deployer } = this;
    try {
      const draft = JSON.parse(read('sessionStorage', this.key, isText, '{}')) as {
        turn?: number;
        at?: [string, string][];
      };
      // A player may place pieces several times in a match; ignore the draft of another turn.
      if (draft.turn !== this.seat.scene?.turn) return;
      const left = new Map(deployer.left);
      for (const [place, face] of draft.at ?? []) {
        if ((left.get(face) ?? 0) <= 0 || face === '' || !deployer.places.has(place)) continue;
        left.set(face, (left.get(face) ?? 0) - 1);
        deployer.at.set(place, face);
      }
    } catch {
      deployer.clear();
    }
  }
}

const shownOf = (placing: Placing, side: string, fromHand: boolean): Partial<BoardProps> => ({
  side,
  get tokens() {
    return placing.tokens;
  },
  get label() {
    return placing.label;
  },
  get path() {
    return placing.path;
  },
  // If there are many places, the highlighted zone is enough.
  get steps() {
    return fromHand ? placing.steps : undefined;
  },
  get tray() {
    return placing.tray;
  },
  zone: placing.deployer.places,
  choices: [],
  pick: placing.pick,
  lift: placing.lift,
  lifted: (place) => (placing.deployer.held = { kind: 'place', place }),
  drop: placing.drop,
  remove: placing.remove,
  mark: undefined,
  escape: () => (placing.deployer.held = null),
});
