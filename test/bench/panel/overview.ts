/** The panel's first page with many servers (W5), compared with the same page as static HTML. */
import type { Browser, Page } from 'playwright-core';
import { openWindow, signInAs } from '../../support/browser/browser.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { type BenchRow, inTurns, ratioRow } from '../row.ts';
import { type BenchGamekeeper, startForBench } from '../running-gamekeeper.ts';
import { openCold, VIEW } from './cold-window.ts';
import { serveStaticCopy } from './static-copy.ts';

const SERVERS = 50;
const RUNNING = 3;
/** Of servers that are never started, so that their ports need not be free. */
const FIRST_PORT = 30_100;
/** How many times slower than this machine, and the time in milliseconds in which all servers should be shown. */
const GOALS = [
  { slowdown: 1, most: 500 },
  { slowdown: 6, most: 3_000 },
];
const SHOWN = 'all cards are shown';

export async function overviewRows(browser: Browser): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startForBench(cleanup);
  await createServers(gamekeeper);
  const { panel, password } = gamekeeper;
  const window = await openWindow(browser, { addresses: () => ({ panel, remote: '' }) }, VIEW);
  await signInAs(window, { password });
  const cookies = await window.page.context().cookies();
  const reload = async () => {
    await window.page.addInitScript(REPORT_ALL_CARDS);
    const reported = untilAllCards(window.page);
    await window.page.reload();
    await reported;
  };
  const copy = await serveStaticCopy(window.page, { panel, reload }, cleanup);
  await window.page.context().close();

  const rows: BenchRow[] = [];
  for (const { slowdown, most } of GOALS) {
    const show = async (address: string) => {
      const { page, visit } = await openCold(browser, address, cookies);
      const taken = await timeToShowAll(page, slowdown, () => visit('/'));
      await page.context().close();
      return taken;
    };
    rows.push(
      ratioRow({
        id: 'W5',
        what: `${SERVERS} servers, from opening the page to all cards, empty cache, CPU ${slowdown}x slower`,
        unit: 'ms',
        comparedWith: 'the same page and bytes without scripts',
        turns: await inTurns(
          () => show(copy),
          () => show(panel),
        ),
        goal: { valueAtMost: most },
      }),
    );
  }
  return rows;
}

async function createServers({ api }: BenchGamekeeper): Promise<void> {
  for (let number = 1; number <= SERVERS; number++) {
    const port = number <= RUNNING ? await freePort() : FIRST_PORT + number;
    await api('POST', '/instances', { name: `Server ${number}`, software: 'demo', port });
    if (number <= RUNNING) await api('POST', `/instances/server-${number}/start`);
  }
}

/** Resolves to the time from the start of the navigation until a frame with all cards has been drawn, in milliseconds. */
async function timeToShowAll(page: Page, slowdown: number, visit: () => Promise<void>): Promise<number> {
  await page.addInitScript(REPORT_ALL_CARDS);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const reported = untilAllCards(page);
  await visit();
  return await reported;
}

/** Resolves to the time since the start of the navigation, in milliseconds. */
async function untilAllCards(page: Page): Promise<number> {
  const message = await page.waitForEvent('console', (each) => each.text().startsWith(SHOWN));
  return Number(message.text().slice(SHOWN.length));
}

const REPORT_ALL_CARDS = `(() => {
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll('article').length < ${SERVERS}) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => console.info(${JSON.stringify(SHOWN)}, performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
})()`;
