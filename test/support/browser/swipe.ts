import type { Locator } from 'playwright-core';

/** Pixels per second. */
const SPEEDS = { calm: 600, flick: 3_000 };

export interface Swipe {
  /** Pixels; positive is down, towards older lines. */
  distance: number;
  speed?: keyof typeof SPEEDS;
}

/** Swipes with one finger over the middle of the visible part of `element`. Resolves when the finger is lifted. */
export async function swipe(element: Locator, { distance, speed = 'calm' }: Swipe): Promise<void> {
  const page = element.page();
  const box = await element.boundingBox();
  const view = page.viewportSize();
  if (!box || !view || box.y > view.height) throw new Error('There is nothing to swipe over.');
  const screen = await page.context().newCDPSession(page);
  await screen.send('Input.synthesizeScrollGesture', {
    x: box.x + box.width / 2,
    y: (box.y + Math.min(box.y + box.height, view.height)) / 2,
    yDistance: distance,
    speed: SPEEDS[speed],
    gestureSourceType: 'touch',
    preventFling: speed === 'calm',
  });
  await screen.detach();
}
