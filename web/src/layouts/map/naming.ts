// Words for the territories of a map.

import type { Region } from '../../protocol/messages';
import type { Words } from '../../words/words.svelte';

/** Describe a territory: "Keyfort, a city, held by Blue". `hold`: its tint; `seat`: the viewer's side. */
export function regionLabel({ t }: Words, region: Region, hold: string, seat: string | undefined): string {
  const words = (): string => {
    if (hold === '') return t('region.free');
    if (hold === 'contested') return t('region.contested');
    const side = hold.replace('held.', '');
    return side === seat ? t('region.own') : t('region.held', { side });
  };
  return [region.name, ...(region.tower ? [t('region.city')] : []), words()].join(', ');
}
