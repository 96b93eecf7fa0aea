// Names of pieces, in tables from the server. The player can choose a table.

import type { PieceNames } from '../protocol/messages';
import type { Name } from './wording';

export class Names {
  tables = $state.raw<Record<string, PieceNames>>({});

  /** `chosen`: the table; empty: the language's own table. Missing names come from the English table. */
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

  /** Return a name without its gender if the table is of another language: genders differ between languages. */
  private look(table: string, face: string): Name | undefined {
    const found = this.tables[table];
    const text = found?.names[face];
    const own = table.split('.').at(-1) === this.language();
    return text === undefined ? undefined : { text, gender: (own && found?.genders[face]) || '' };
  }
}
