import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Cookie } from 'playwright-core';
import { openWindow, type PanelWindow } from '../../support/browser/browser.ts';

export const VIEW = { screen: 'desktop', scheme: 'dark' } as const;

/** For as long, a new window of Chromium keeps a core busy with pages of its own (seen in its trace). Milliseconds. */
const SETTLE_MS = 2_500;

/** Opens a window with an empty cache for the panel at this address, signed in by `cookies`. Resolves once the browser is idle. */
export async function openCold(browser: Browser, address: string, cookies: readonly Cookie[]): Promise<PanelWindow> {
  const window = await openWindow(browser, { addresses: () => ({ panel: address, remote: '' }) }, VIEW);
  await window.page.context().addCookies(cookies);
  await sleep(SETTLE_MS);
  return window;
}
