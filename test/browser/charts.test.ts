import type { Locator, Mouse } from 'playwright-core';
import t from 'tap';
import type { History } from '../../shared/schema/history.ts';
import {
  accessibilityFaults,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { openCharts } from '../support/browser/open-charts.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const MIDDAY = Date.parse('2026-11-20T12:00:00Z');
const at = (seconds: number) => new Date(MIDDAY + seconds * 1_000).toISOString();

t.test('the charts of a server', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const world = { browser, gamekeeper, historyOf };

  await t.test('a start, a backup and a stop are marked', async (t) => {
    const read = async () => (await gamekeeper.api<History>('GET', '/instances/demo/history')).body;
    await gamekeeper.api('POST', '/instances/demo/start');
    await gamekeeper.waitForStatus('demo', 'running');
    await until('the disk is measured', async () =>
      (await read()).points.some(({ diskFreeBytes = 0 }) => diskFreeBytes > 0),
    );
    await gamekeeper.api('POST', '/instances/demo/backup', {});
    await gamekeeper.api('POST', '/instances/demo/stop');
    await gamekeeper.waitForStatus('demo', 'stopped');
    await until('the stop is known', async () => (await read()).events.some(({ kind }) => kind === 'stop'));

    const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
    await signInAs(window, gamekeeper);
    await window.follow('/servers/demo/charts');
    const events = window.page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await events.first().waitFor();
    const signs = (await events.allInnerTexts()).map((text) => text.split(' ').slice(0, 2).join(' '));
    t.same(signs, ['▼ Stopped', '◆ Backup', '▲ Started']);
    await window.page.getByRole('slider', { name: 'Free disk space' }).waitFor();
    t.same(window.complaints, []);
    await window.page.context().close();
  });

  await t.test('the cursor is at the same time in all charts, and names events and gaps', async (t) => {
    const { page, chart, plot, close } = await openCharts(world, 'desktop');
    await hoverAt(plot('CPU'), 0.5);
    await chart('CPU').getByText('Nov 20, 12:05 · 30% · ◆ Backup 12:05', { exact: true }).waitFor();
    await chart('RAM').getByText('Nov 20, 12:05 · 130 MB · ◆ Backup 12:05', { exact: true }).waitFor();
    await hoverAt(plot('RAM'), 0.72);
    await chart('CPU').getByText('Nov 20, 12:06 · Crashed · × Crashed 12:06', { exact: true }).waitFor();
    await page.mouse.move(2, 2);
    await chart('RAM')
      .getByText(/^now 160 MB/)
      .waitFor();

    await page.getByRole('slider', { name: 'CPU' }).press('ArrowLeft');
    await chart('RAM').getByText('Nov 20, 12:10 · 160 MB', { exact: true }).waitFor();
    t.same(await page.getByRole('list', { name: 'Events' }).getByRole('listitem').allInnerTexts(), [
      '▲ Started Nov 20, 12:08',
      '× Crashed Nov 20, 12:06',
      '◆ Backup Nov 20, 12:05',
    ]);
    await close(t);
  });

  for (const [screen, column] of [
    ['desktop', ['RAM', 'Tick time']],
    ['phone', ['RAM', 'Tick time', 'CPU', 'Free disk space']],
  ] as const)
    await t.test(`memory and ticks are above each other on one time axis, on a ${screen}`, async (t) => {
      const { plot, close } = await openCharts(world, screen);
      const places = await Promise.all(
        ['CPU', 'Free disk space', 'RAM', 'Tick time'].map(async (title) => ({
          title,
          ...(await plot(title).boundingBox())!,
        })),
      );
      const { x: left } = places.find(({ title }) => title === 'RAM')!;
      const below = places.filter(({ x }) => x === left).sort((one, other) => one.y - other.y);
      t.same(
        below.map(({ title }) => title),
        column,
      );
      t.equal(new Set(places.map(({ width }) => width)).size, 1, 'all are as wide');
      await close(t);
    });

  await t.test('dragging zooms all charts, until the zoom is reset', async (t) => {
    const { page, chart, plot, requests, addSteps, close } = await openCharts(world, 'desktop');
    const shows = async (title: string, key: 'Home' | 'End', text: string) => {
      await page.getByRole('slider', { name: title }).press(key);
      await chart(title).getByText(text, { exact: true }).waitFor();
    };
    const zoomed = page.getByRole('status').filter({ hasText: '–' });
    t.equal(await zoomed.count(), 0);
    await drag(page.mouse, plot('CPU'), [0.11, 0.31]);
    await zoomed.filter({ hasText: /^Nov 20, 12:01.*12:03$/ }).waitFor();
    await shows('RAM', 'Home', 'Nov 20, 12:01 · 107 MB');
    await shows('CPU', 'End', 'Nov 20, 12:03 · 18%');

    addSteps();
    const before = requests();
    await until('the charts were refreshed', () => requests() > before);
    await page.mouse.move(2, 2);
    await page.getByRole('slider', { name: 'CPU' }).press('Escape');
    await chart('CPU').getByText('now 62%, peak 62%').waitFor();
    await shows('RAM', 'Home', 'Nov 20, 12:01 · 107 MB');

    await plot('RAM').dblclick();
    await zoomed.waitFor({ state: 'detached' });
    await shows('CPU', 'Home', 'Nov 20, 12:00 · 0%');
    t.pass();
    await close(t);
  });

  await t.test('buttons zoom by keyboard', async (t) => {
    const { page, chart, close } = await openCharts(world, 'desktop');
    const press = async (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
    const shows = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
    const isOff = (name: string) => page.getByRole('button', { name, exact: true, disabled: true }).waitFor();
    await isOff('Zoom out');
    await press('Zoom in');
    await shows(/12:02.*12:07$/);
    await page.getByRole('slider', { name: 'RAM' }).press('Home');
    await chart('CPU').getByText('Nov 20, 12:02 · 15%', { exact: true }).waitFor();
    await press('Later');
    await shows(/12:05.*12:10$/);
    await isOff('Later');
    await press('Earlier');
    await shows(/12:02.*12:07$/);
    t.equal(await page.getByRole('list', { name: 'Events' }).getByRole('listitem').count(), 2, 'those in sight');
    for (const _ of [1, 2, 3]) await press('Zoom in');
    await isOff('Zoom in');
    await press('Reset zoom');
    await isOff('Reset zoom');
    t.equal(await page.locator(':focus').getAttribute('aria-label'), 'Reset zoom', 'it keeps the focus');
    t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
    await close(t);
  });

  await t.test('without points, the events are listed, and the text fits the state', async (t) => {
    const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
    const { page } = window;
    await page.route('**/instances/demo/history?range=*', (route) =>
      route.fulfill({ json: { ...historyOf(61), points: [] } }),
    );
    await signInAs(window, gamekeeper);
    await window.follow('/servers/demo/charts');
    await page.getByText(/^The server did not run in this time\./).waitFor();
    t.equal(await page.getByRole('list', { name: 'Events' }).getByRole('listitem').count(), 3);
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
    await gamekeeper.api('POST', '/instances/demo/start');
    await page.getByText('a few seconds after the server has started').waitFor();
    t.same(window.complaints, []);
    await page.context().close();
  });

  await t.test('they fit on a phone', async (t) => {
    const { page, close } = await openCharts(world, 'phone');
    await page.getByRole('button', { name: 'Zoom in' }).tap();
    await page.getByRole('status').filter({ hasText: '–' }).waitFor();
    t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
    t.notOk(await scrollsSideways(page), 'fits into the window');
    await close(t);
  });
});

async function hoverAt(plot: Locator, share: number): Promise<void> {
  const { width, height } = (await plot.boundingBox())!;
  await plot.hover({ position: { x: share * width, y: height / 2 } });
}

async function drag(mouse: Mouse, plot: Locator, [from, to]: [number, number]): Promise<void> {
  await hoverAt(plot, from);
  await mouse.down();
  await hoverAt(plot, to);
  await mouse.up();
}

/** Points 10 s apart, whose CPU is their index, without those of 12:06:40 to 12:08:10. */
function historyOf(count: number): History {
  const places = Array.from({ length: count }, (_, place) => place).filter((place) => place < 40 || place >= 50);
  return {
    range: '1h',
    stepSeconds: 10,
    until: at((count - 1) * 10),
    points: places.map((place) => ({
      at: at(place * 10),
      cpuPercent: place,
      memoryUsedMb: 100 + place,
      tickTimeMs: 20,
      diskFreeBytes: 5e9,
    })),
    events: [
      { at: at(302), kind: 'backup' },
      { at: at(397), kind: 'crash' },
      { at: at(492), kind: 'start' },
    ],
  };
}
