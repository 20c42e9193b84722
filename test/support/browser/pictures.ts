import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { hasLoaded, showScheme, type View } from './browser.ts';

/**
 * Folder for pictures of every page, such as `players-820-dark.png`. Without it none are taken.
 *
 *     GAMEKEEPER_PICTURES=pictures npm test -- test/browser/accessibility.test.ts
 */
const FOLDER = process.env.GAMEKEEPER_PICTURES;

/** A phone, which has a touch screen; a tablet, a laptop and a monitor. Pixels. */
const WINDOWS = {
  phone: [{ width: 390, height: 844 }],
  desktop: [
    { width: 820, height: 1180 },
    { width: 1440, height: 900 },
    { width: 1920, height: 1080 },
  ],
} as const;

/** Takes pictures of the whole page, in both schemes and all windows of the screen. Afterwards the window has its size again. */
export async function takePictures(
  page: Page,
  { name, screen }: { name: string } & Pick<View, 'screen'>,
): Promise<void> {
  if (!FOLDER) return;
  await mkdir(FOLDER, { recursive: true });
  const size = page.viewportSize();
  for (const scheme of ['dark', 'light'] as const) {
    await showScheme(page, scheme);
    for (const window of WINDOWS[screen]) {
      await page.setViewportSize(window);
      await hasLoaded(page);
      // The navigation stays where it is as the page scrolls, also in a picture of all of it.
      await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: join(FOLDER, `${name}-${window.width}-${scheme}.png`), fullPage: true });
    }
  }
  if (size) await page.setViewportSize(size);
}
