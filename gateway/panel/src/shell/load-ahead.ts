import { TABS } from '../pages/server/tabs.ts';

/**
 * Begins to load the page of a server that an address leads to, while it is still asked who is signed in: otherwise each part would wait
 * for the one before.
 */
export function loadAhead(path: string): void {
  const [, tab] = /^\/ui\/servers\/[^/]+\/([^/]+)/.exec(path) ?? [];
  if (tab === undefined) return;
  const parts = [import('../pages/server/ServerPage.tsx'), TABS.find((each) => each.tab === tab)?.load()];
  // What cannot be loaded is asked for again by who shows it, and said there.
  Promise.all(parts).catch(() => undefined);
}
