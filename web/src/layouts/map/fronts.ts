import type { Space } from '../../protocol/messages';

/** Return those of some zones that border a zone of another side. `holds`: kinds of tints by territory, such as
 * `held.red`; `own`: the viewer's side.
 */
export const frontsOf = (
  zones: Iterable<string>,
  spaces: ReadonlyMap<string, Space>,
  holds: ReadonlyMap<string, string>,
  own = '',
): Set<string> =>
  new Set(
    [...zones].filter((id) =>
      spaces.get(id)?.near?.some((other) => {
        const hold = holds.get(spaces.get(other)?.zone ?? '') ?? '';
        return hold.startsWith('held.') && hold !== `held.${own}`;
      }),
    ),
  );
