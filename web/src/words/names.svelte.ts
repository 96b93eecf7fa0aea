// Names of pieces, in tables that the server sends; a person chooses one of them.

import type { PieceNames } from '../protocol/messages';
import type { Name } from './wording';

export class Names {
  tables = $state.raw<Record<string, PieceNames>>({});

  /** `chosen`: which table is used, empty for the one of the language. What it lacks is taken from the English one. */
  constructor(
    private readonly language: () => string,
    private readonly chosen: () => string = () => '',
  ) {}

  find(face: string): Name | undefined {
    return this.look(this.chosen() || this.language(), face) ?? this.look('en', face);
  }

  list(): string[] {
    return Object.keys(this.tables).sort();
  }

  /** Genders are of use to their own language only. */
  private look(table: string, face: string): Name | undefined {
    const found = this.tables[table];
    const text = found?.names[face];
    const own = table.split('.').at(-1) === this.language();
    return text === undefined ? undefined : { text, gender: (own && found?.genders[face]) || '' };
  }
}
