// Names of pieces, in tables that the server sends; a person chooses one of them.

import type { Catalogue } from './catalogues';

export class Names {
  tables = $state.raw<Record<string, Catalogue>>({});

  /** `chosen`: which table is used; what it lacks is taken from the English one. */
  constructor(private readonly chosen: () => string) {}

  find(face: string): string | undefined {
    return this.tables[this.chosen()]?.[face] ?? this.tables.en?.[face];
  }

  list(): string[] {
    return Object.keys(this.tables).sort();
  }
}
