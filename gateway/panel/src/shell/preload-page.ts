import { TABS } from '../pages/server/tabs.ts';

/** Starts to load the server page that a URL leads to. Otherwise it would load only after the session is known. */
export function preloadPage(path: string): void {
  const [, tab] = /^\/ui\/servers\/[^/]+\/([^/]+)/.exec(path) ?? [];
  if (tab === undefined) return;
  const parts = [import('../pages/server/ServerPage.tsx'), TABS.find((each) => each.tab === tab)?.load()];
  // `lazy` loads a missing part again and shows the error.
  Promise.all(parts).catch(() => undefined);
}
