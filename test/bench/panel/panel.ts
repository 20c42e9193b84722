/**
 * The panel in Debian's Chromium, over loopback: the size of its first load (W1), the time until the console can be used (W2), the time
 * between two frames while the console is flooded (W3) and while it is scrolled (W4), and the time until many servers are shown (W5).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchBrowser, openWindow, type PanelWindow, signInAs } from '../../support/browser/browser.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { atMost, type BenchRow, inTurns, percentile, ratioRow, withReference } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';
import { openCold, VIEW } from './cold-window.ts';
import { overviewRows } from './overview.ts';
import { serveStaticCopy } from './static-copy.ts';

const LINES = 100_000;
/** Turns of the mouse wheel. */
const WHEEL_TURNS = 120;
const WHEEL_PX = 400;
const FLOOD_TIMEOUT_MS = 120_000;
/** How long the page without scripts is watched. */
const STILL_MS = 3_000;

const MOST_FIRST_KB = 400;
const MOST_INTERACTIVE_MS = 1_000;
/** At 20 frames per second, motion still looks smooth. */
const MOST_FRAME_MS = 50;
/** After a longer pause, users feel that their input is delayed (web.dev/articles/rail). */
const MOST_PAUSE_MS = 100;

const CONSOLE = '/servers/demo/console';

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startForBench(cleanup);
  const { panel, password } = gamekeeper;
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const window = await openWindow(browser, { addresses: () => ({ panel, remote: '' }) }, VIEW);
  const { page, follow } = window;
  const loaded = countBytes(page);
  await signInAs(window, { password });
  await page.getByRole('article', { name: 'Demo' }).waitFor();
  const firstKb = (await loaded()) / 1_000;

  await follow(CONSOLE);
  await consoleShown(page);
  const reload = async () => {
    await page.reload();
    await consoleShown(page);
  };
  const copy = await serveStaticCopy(page, { panel, reload }, cleanup);
  const cookies = await page.context().cookies();
  const typed = await inTurns(
    async () => timeToType(await openCold(browser, copy, cookies)),
    async () => timeToType(await openCold(browser, panel, cookies)),
  );
  const still = await stillFrames(await openCold(browser, copy, cookies));

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
    ratioRow({
      id: 'W2',
      what: 'console page, from opening its address to a typed command, empty cache',
      unit: 'ms',
      comparedWith: 'the same page and bytes without scripts',
      turns: typed,
      goal: { valueAtMost: MOST_INTERACTIVE_MS },
    }),
    ...frameRows('W3', `while ${LINES} console lines arrive`, { gaps: flooding, still }),
    ...frameRows('W4', 'while the console is scrolled', { gaps: scrolling, still }),
    ...(await overviewRows(browser)),
  ];
}

async function consoleShown(page: Page): Promise<void> {
  await page.locator('.console-terminal[data-state=open]').waitFor();
  await page.locator('.xterm-rows').getByText('Done (').first().waitFor();
}

/** Resolves to the time from opening the console until a command can be typed, in milliseconds. */
async function timeToType({ page, visit }: PanelWindow): Promise<number> {
  const start = performance.now();
  await visit(CONSOLE);
  await consoleShown(page);
  await page.getByLabel('Command', { exact: true }).fill('help');
  const taken = performance.now() - start;
  await page.context().close();
  return taken;
}

/** Resolves to the times between two frames of a console that does nothing. */
async function stillFrames({ page, visit }: PanelWindow): Promise<number[]> {
  await visit(CONSOLE);
  await consoleShown(page);
  const gaps = await framesDuring(page, () => sleep(STILL_MS));
  await page.context().close();
  return gaps;
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

/** `gaps`: times between two frames, in milliseconds, ascending; `still`: those of the page without scripts. */
function frameRows(id: string, when: string, { gaps, still }: { gaps: number[]; still: number[] }): BenchRow[] {
  const row = (percent: number, most: number) => {
    const what = `time between two frames ${when}, p${percent}`;
    return withReference(
      atMost(id, what, percentile(gaps, percent), { unit: 'ms', most }),
      'the page at rest, without scripts',
      percentile(still, percent),
    );
  };
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
