// Scenes and patches.

import type { Scene, ScenePatch, Token } from './messages';

/** Return `scene` with `patch` applied. Unchanged parts stay the same objects. */
export function applyPatch(scene: Scene, patch: ScenePatch): Scene {
  return {
    ...scene,
    tokens: patchTokens(scene.tokens, patch.gone ?? [], patch.tokens ?? []),
    trays: patch.trays ?? scene.trays,
    ...(patch.rest ?? {}),
  };
}

function patchTokens(old: Token[], gone: string[], changed: Token[]): Token[] {
  if (gone.length === 0 && changed.length === 0) return old;
  const fresh = new Map(changed.map((token) => [token.id, token]));
  const left = new Set(gone);
  const kept = old.filter((token) => !left.has(token.id)).map((token) => fresh.get(token.id) ?? token);
  const known = new Set(old.map((token) => token.id));
  return [...kept, ...changed.filter((token) => !known.has(token.id))];
}
