import type { Locator } from 'playwright-core';

/** Pixels in a second: as fast as a finger that reads along, and as one that is thrown. */
const SPEEDS = { calm: 600, flick: 3_000 };

export interface Swipe {
  /** Pixels; above zero the finger goes down, towards what came before. */
  distance: number;
  speed?: keyof typeof SPEEDS;
}

/** One finger over the middle of what is seen of `element`, as Chromium itself gets it from a screen; resolves when the finger is lifted. */
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
