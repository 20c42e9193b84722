import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { axeFaults, scrollsSideways, startBrowser } from './browser.ts';

const TIMEOUT_MS = 60_000;
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

export interface ProxyWindow {
  page: Page;
  /** Errors in the browser's console, and requests to other hosts. */
  complaints: string[];
}

/** Opens a browser window for pages of a proxy. `others`: addresses outside of it that may be requested. Undefined without Chromium. */
export async function openProxyWindow(
  t: Test,
  { url, others = [] }: { url: string; others?: string[] },
): Promise<ProxyWindow | undefined> {
  const browser = await startBrowser(t);
  if (!browser) return undefined;
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en' });
  context.setDefaultTimeout(TIMEOUT_MS);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 40')) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(`exception: ${error.error().stack}`));
  context.on('request', (request) => {
    const isOwn = new URL(request.url()).origin === url || others.some((other) => request.url().startsWith(other));
    if (!isOwn) complaints.push(request.url());
  });
  return { page: await context.newPage(), complaints };
}

/** Checks the page that is shown: axe in both schemes, and that it fits on a phone. */
export async function looksRight(t: Test, page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    t.same(await axeFaults(page), [], `${name}, ${colorScheme}`);
    if (process.env.PROXY_SCREENSHOTS)
      await page.screenshot({
        path: `${process.env.PROXY_SCREENSHOTS}/${name.replaceAll(' ', '-')}-${colorScheme}.png`,
        fullPage: true,
      });
  }
  await page.setViewportSize(PHONE);
  t.notOk(await scrollsSideways(page), `${name} fits on a phone`);
  if (process.env.PROXY_SCREENSHOTS)
    await page.screenshot({
      path: `${process.env.PROXY_SCREENSHOTS}/${name.replaceAll(' ', '-')}-phone.png`,
      fullPage: true,
    });
  await page.setViewportSize(DESKTOP);
}
