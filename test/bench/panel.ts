/**
 * The panel in Debian's Chromium, on loopback: what its first load weighs, when the console can be used, and how evenly pictures come
 * while a console is flooded and while somebody scrolls through it.
 */
import type { Page } from 'playwright-core';
import { launchBrowser, openWindow, signInAs } from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import type { BenchRow } from './row.ts';
import { startForBench } from './running-gamekeeper.ts';

const RUNS = 5;
const LINES = 100_000;
/** Turns of a mouse wheel, each over some lines. */
const WHEEL_TURNS = 120;
const WHEEL_PX = 400;
const FLOOD_TIMEOUT_MS = 120_000;

const MOST_FIRST_KB = 400;
const MOST_INTERACTIVE_MS = 1_000;
/** Twenty pictures in a second still look like motion. */
const MOST_FRAME_MS = 50;
/** Longer, and a key that is pressed seems not to have arrived (RAIL). */
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
    // A context of its own has nothing in its cache.
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
    await until('the scrolling has ended', () =>
      page.evaluate<boolean>('performance.now() - window.lastScroll_ > 200'),
    );
  });

  return [
    row('W1', 'first load of the panel, over the wire', Math.round(firstKb), 'kB', MOST_FIRST_KB),
    row(
      'W2',
      'the console, from its address to a typed command, empty cache',
      medianOf(interactive),
      'ms',
      MOST_INTERACTIVE_MS,
    ),
    row('W3', `${LINES} lines arrive: 95th percentile between pictures`, flooding.p95, 'ms', MOST_FRAME_MS),
    row('W3', `${LINES} lines arrive: 99th percentile between pictures`, flooding.p99, 'ms', MOST_PAUSE_MS),
    row('W4', 'scrolling through them: 95th percentile between pictures', scrolling.p95, 'ms', MOST_FRAME_MS),
    row('W4', 'scrolling through them: 99th percentile between pictures', scrolling.p99, 'ms', MOST_PAUSE_MS),
  ];
}

/** Counts from now on what this page is sent, headers included; the answer says how much that was. */
function countBytes(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) =>
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    ),
  );
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Milliseconds between one picture and the next while something is done. */
async function framesDuring(page: Page, work: () => Promise<void>): Promise<{ p95: number; p99: number }> {
  await page.evaluate(COUNT_FRAMES);
  await work();
  const gaps = await page.evaluate<number[]>('(window.stopCounting_(), window.gaps_)');
  gaps.sort((one, other) => one - other);
  const at = (share: number) => Math.round(gaps[Math.floor(gaps.length * share)] ?? 0);
  return { p95: at(0.95), p99: at(0.99) };
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

function medianOf(stats: number[]): number {
  return Math.round(stats.sort((one, other) => one - other)[Math.floor(stats.length / 2)]!);
}

function row(id: string, what: string, figure: number, unit: string, most: number): BenchRow {
  return { id, what, figure, unit, goal: `at most ${most}`, pass: figure <= most };
}
