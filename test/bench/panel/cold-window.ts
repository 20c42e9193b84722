import type { Browser, Cookie } from 'playwright-core';
import { openWindow, type PanelWindow } from '../../support/browser/browser.ts';

export const VIEW = { screen: 'desktop', scheme: 'dark' } as const;

/** Opens a window with an empty cache for the panel at this address, signed in by `cookies`. */
export async function openCold(browser: Browser, address: string, cookies: readonly Cookie[]): Promise<PanelWindow> {
  const window = await openWindow(browser, { addresses: () => ({ panel: address, remote: '' }) }, VIEW);
  await window.page.context().addCookies(cookies);
  return window;
}
