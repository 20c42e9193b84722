import type { Browser, Locator } from 'playwright-core';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import { accessibilityFaults, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Points 10 s apart, the first at noon; the value of each is its index. */
const POINTS = 61;
/** The chart refreshes every 10 s. */
const PATIENCE = { timeout: 30_000 };
const MIDDAY = Date.parse('2026-11-20T12:00:00Z');

t.test('the stats of a running server', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await until('its stats are known', async () => {
    const { playersOnline, uptimeSeconds = 0 } = (await gamekeeper.api<Instance>('GET', '/instances/demo')).body;
    return playersOnline !== undefined && uptimeSeconds > 0;
  });

  await t.test('the uptime counts on without further responses', async (t) => {
    const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
    const { page, follow } = window;
    await page.clock.install();
    await signInAs(window, gamekeeper);
    await follow('/servers/demo/settings');
    await page.getByText('Just started', { exact: true }).waitFor();
    await page.clock.fastForward('02:00:00');
    await page.getByText(/^Up for 2 hr 0 min$/).waitFor();
    t.pass();
    await page.context().close();
  });

  await t.test('a chart shows time and value under the mouse, and keeps doing so when it refreshes', async (t) => {
    const { page, cpu, addPoints, close } = await openCharts({ browser, gamekeeper }, 'desktop');
    await cpu.getByText('now 60%, peak 60%').waitFor();
    const plot = cpu.locator('.u-over');
    await plot.hover();
    await cpu.getByText(/^Nov 20, 12:05 · 30%$/).waitFor();
    const drawn = await plot.elementHandle();
    addPoints();
    await cpu.getByText(/^Nov 20, 12:05 · 31%$/).waitFor(PATIENCE);
    t.ok(await drawn?.isVisible(), 'it is the same chart');
    await page.mouse.move(2, 2);
    await cpu.getByText('now 62%, peak 62%').waitFor();
    await close(t);
  });

  await t.test('the arrow keys move from point to point', async (t) => {
    const { page, cpu, close } = await openCharts({ browser, gamekeeper }, 'desktop');
    const chart = cpu.getByRole('slider', { name: 'CPU' });
    await chart.focus();
    for (const [key, shown] of Object.entries({
      ArrowLeft: 'Nov 20, 12:10 · 60%',
      PageDown: 'Nov 20, 12:08 · 50%',
      Home: 'Nov 20, 12:00 · 0%',
      ArrowRight: 'Nov 20, 12:00 · 1%',
      Escape: 'now 60%, peak 60%',
    })) {
      await page.keyboard.press(key);
      await cpu.getByText(shown, { exact: true }).waitFor();
      t.equal(await chart.getAttribute('aria-valuetext'), shown);
    }
    t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
    await close(t);
  });

  await t.test('a finger selects a point', async (t) => {
    const { page, cpu, close } = await openCharts({ browser, gamekeeper }, 'phone');
    const { x, y, width, height } = (await cpu.locator('.u-over').boundingBox())!;
    const fingers = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove', share: number) =>
      fingers.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: [{ x: x + share * width, y: y + height / 2 }],
      });
    await touch('touchStart', 0.5);
    await cpu.getByText(/ · 30%$/).waitFor();
    await touch('touchMove', 0.75);
    await cpu.getByText(/ · 45%$/).waitFor();
    await close(t);
  });
});

/** Opens the charts of `demo` with points that the test decides. */
async function openCharts(
  { browser, gamekeeper }: { browser: Browser; gamekeeper: Gamekeeper },
  screen: 'desktop' | 'phone',
) {
  const window = await openWindow(
    browser,
    gamekeeper,
    { screen, scheme: 'dark' },
    { hasTouch: screen === 'phone', timezoneId: 'UTC', locale: 'en-US' },
  );
  const { page, follow, complaints } = window;
  let count = POINTS;
  await page.route('**/instances/demo/history?range=*', (route) => route.fulfill({ json: historyOf(count) }));
  await signInAs(window, gamekeeper);
  await follow('/servers/demo/charts');
  const cpu: Locator = page.getByRole('figure').filter({ hasText: 'CPU' });
  await cpu.locator('.u-over').waitFor();
  return {
    page,
    cpu,
    /** Adds two, so that one is in the middle again. */
    addPoints: () => {
      count += 2;
    },
    async close(t: { same: (found: unknown, wanted: unknown) => unknown }) {
      t.same(complaints, []);
      await page.context().close();
    },
  };
}

function historyOf(count: number) {
  const points = Array.from({ length: count }, (_, place) => ({
    at: new Date(MIDDAY + place * 10_000).toISOString(),
    cpuPercent: place,
    memoryUsedMb: 100,
  }));
  return { range: '1h', stepSeconds: 10, until: points.at(-1)?.at, points, events: [] };
}
