// The page's connection to the lobby. It outlives the lobby's screen while the player waits for somebody: then a bar
// above the other screens says how it stands, and leads to the match.

import { mount, tick, unmount, type ComponentProps } from 'svelte';
import { TurnNotifier } from '../browser/notify';
import { signal } from '../browser/signal';
import type { Words } from '../words/words.svelte';
import { LobbyClient } from './lobby.svelte';
import Bar from './Bar.svelte';

type Context = NonNullable<Parameters<typeof mount<ComponentProps<typeof Bar>, object>>[1]['context']>;

let client: LobbyClient | null = null;
let bar: object | null = null;
/** Number of the lobby's screens that are mounted; two for a moment while one replaces another. */
let screens = 0;

/** Return the connection, for the lobby's screen. */
export function enterLobby(t: Words['t']): LobbyClient {
  screens += 1;
  hideBar();
  return (client ??= new LobbyClient((match) => {
    void signal('turn');
    new TurnNotifier(match).tell(t('lobby.news.paired'));
  }));
}

/** Leave the lobby's screen. `context`: of the screen's component; the bar needs its words. */
export async function leaveLobby(context: Context): Promise<void> {
  screens -= 1;
  // Svelte mounts nothing while a component is being destroyed.
  await tick();
  if (screens > 0) return;
  hideBar();
  if (client?.expects) {
    const [target, anchor] = [document.body, document.getElementById('page') ?? undefined];
    bar = mount(Bar, { target, anchor, context, props: { client, end: endVisit } });
  } else endVisit();
}

/** End the visit, because the player expects nobody any more. */
export function endVisit(): void {
  hideBar();
  client?.close();
  client = null;
}

function hideBar(): void {
  if (bar) void unmount(bar);
  bar = null;
}
