/**
 * The panel in Debian's Chromium, over loopback: the size of its first load (W1), the time until the console can be used (W2), the time
 * between two frames while the console is flooded (W3) and while it is scrolled (W4), and the time until many servers are shown (W5).
 */
import type { Page } from 'playwright-core';
import { launchBrowser, openWindow, signInAs } from '../../support/browser/browser.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { atMost, type BenchRow, medianOf, percentile } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';
import { overviewRows } from './overview.ts';

const RUNS = 5;
const LINES = 100_000;
/** Turns of the mouse wheel. */
const WHEEL_TURNS = 120;
const WHEEL_PX = 400;
const FLOOD_TIMEOUT_MS = 120_000;

const MOST_FIRST_KB = 400;
const MOST_INTERACTIVE_MS = 1_000;
/** At 20 frames per second, motion still looks smooth. */
const MOST_FRAME_MS = 50;
/** After a longer pause, users feel that their input is delayed (web.dev/articles/rail). */
const MOST_PAUSE_MS = 100;

const VIEW = { screen: 'desktop', scheme: 'dark' } as const;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startForBench(cleanup);
  const { panel, password } = gamekeeper;
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const open = () => openWindow(browser, { addresses: () => ({ panel, remote: '' }) }, VIEW);

  const window = await open();
  const { page, follow } = window;
  const loaded = countBytes(page);
  await signInAs(window, { password });
  await page.getByRole('article', { name: 'Demo' }).waitFor();
  const firstKb = (await loaded()) / 1_000;

  const cookies = await page.context().cookies();
  const interactive: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    // A new context has an empty cache.
    const cold = await open();
    await cold.page.context().addCookies(cookies);
    const start = performance.now();
    await cold.visit('/servers/demo/console');
    await cold.page.locator('.console-terminal[data-state=open]').waitFor();
    await cold.page.locator('.xterm-rows').getByText('Done (').first().waitFor();
    await cold.page.getByLabel('Command', { exact: true }).fill('help');
    interactive.push(performance.now() - start);
    await cold.page.context().close();
  }

  await follow('/servers/demo/console');
  await page.locator('.console-terminal[data-state=open]').waitFor();
  const flooding = await framesDuring(page, async () => {
    await gamekeeper.api('POST', '/instances/demo/commands', { command: `demo flood ${LINES}` });
    await page.locator('.xterm-rows').getByText('Flooded the console').waitFor({ timeout: FLOOD_TIMEOUT_MS });
  });
  const scrolling = await framesDuring(page, async () => {
    await page.locator('.xterm-screen').hover();
    for (let n = 0; n < WHEEL_TURNS; n++) await page.mouse.wheel(0, -WHEEL_PX);
    await until('scrolling has ended', () => page.evaluate<boolean>('performance.now() - window.lastScroll_ > 200'));
  });

  return [
    atMost('W1', 'first load of the panel, bytes sent over the network', firstKb, { unit: 'kB', most: MOST_FIRST_KB }),
    atMost('W2', 'console page, from opening its address to a typed command, empty cache', medianOf(interactive), {
      unit: 'ms',
      most: MOST_INTERACTIVE_MS,
    }),
    ...frameRows('W3', `while ${LINES} console lines arrive`, flooding),
    ...frameRows('W4', 'while the console is scrolled', scrolling),
    ...(await overviewRows(browser)),
  ];
}

/** Counts the bytes that this page receives from now on, headers included. Returns a function that resolves to their number. */
function countBytes(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) =>
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    ),
  );
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Resolves to the times between two frames during `work`, in milliseconds, ascending. */
async function framesDuring(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(COUNT_FRAMES);
  await work();
  const gaps = await page.evaluate<number[]>('(window.stopCounting_(), window.gaps_)');
  return gaps.sort((one, other) => one - other);
}

function frameRows(id: string, when: string, gaps: number[]): BenchRow[] {
  const row = (percent: number, most: number) =>
    atMost(id, `time between two frames ${when}, p${percent}`, percentile(gaps, percent), { unit: 'ms', most });
  return [row(95, MOST_FRAME_MS), row(99, MOST_PAUSE_MS)];
}

const COUNT_FRAMES = `(() => {
  window.gaps_ = [];
  window.lastScroll_ = performance.now();
  let last = performance.now();
  let handle = requestAnimationFrame(function next(now) {
    window.gaps_.push(now - last);
    last = now;
    handle = requestAnimationFrame(next);
  });
  const scrolled = () => { window.lastScroll_ = performance.now(); };
  addEventListener('wheel', scrolled, { capture: true, passive: true });
  window.stopCounting_ = () => { cancelAnimationFrame(handle); removeEventListener('wheel', scrolled, { capture: true }); };
})()`;
