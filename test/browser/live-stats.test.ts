import t from 'tap';
import type { History } from '../../shared/schema/history.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { accessibilityFaults, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { textColour, themeColour } from '../support/browser/colours.ts';
import { openCharts } from '../support/browser/open-charts.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** The chart refreshes every 10 s. */
const PATIENCE = { timeout: 30_000 };
const MIDDAY = Date.parse('2026-11-20T12:00:00Z');

t.test('the stats of a running server', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const world = { browser, gamekeeper, historyOf };
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
    // A later answer would have the uptime by the real clock.
    let isAnswered = false;
    await page.route('**/instances', async (route) => {
      if (isAnswered) return;
      isAnswered = true;
      await route.continue();
    });
    await signInAs(window, gamekeeper);
    await follow('/servers/demo/settings');
    await page.getByText('Just started', { exact: true }).waitFor();
    await page.clock.fastForward('02:00:00');
    await page.getByText(/^Up for 2 hr 0 min$/).waitFor();
    t.pass();
    await page.context().close();
  });

  await t.test('a page stays where it was scrolled while the server changes', async (t) => {
    const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
    const { page, follow } = window;
    await signInAs(window, gamekeeper);
    await follow('/servers/demo/properties');
    await page.getByRole('switch', { name: 'keepInventory' }).waitFor();
    t.equal(await page.evaluate('scrollY'), 0);
    const selected = page.getByRole('tab', { selected: true });
    const { x, width } = (await selected.boundingBox())!;
    t.ok(x > 0 && x + width < 390, 'the tab is in sight');
    await page.evaluate('scrollTo(0, 1500)');
    for (const action of ['join Eve 203.0.113.7', 'leave Eve']) {
      const online = action.startsWith('join') ? 1 : 0;
      await gamekeeper.api('POST', '/instances/demo/commands', { command: `demo ${action}` });
      await page.getByText(`${online} of 20`).first().waitFor({ state: 'attached' });
      t.equal(await page.evaluate('scrollY'), 1500);
    }
    await page.context().close();
  });

  await t.test('a chart shows time and value under the mouse, and keeps doing so when it refreshes', async (t) => {
    const { page, chart, addSteps, close } = await openCharts(world, 'desktop');
    const cpu = chart('CPU');
    await cpu.getByText('now 60%, peak 60%').waitFor();
    const plot = cpu.locator('.u-over');
    await plot.hover();
    await cpu.getByText(/^Nov 20, 12:05 · 30%$/).waitFor();
    const drawn = await plot.elementHandle();
    addSteps();
    await cpu.getByText(/^Nov 20, 12:05 · 31%$/).waitFor(PATIENCE);
    t.ok(await drawn?.isVisible(), 'it is the same chart');
    await page.mouse.move(2, 2);
    await cpu.getByText('now 62%, peak 62%').waitFor();
    await close(t);
  });

  await t.test('the arrow keys move from point to point', async (t) => {
    const { page, chart, close } = await openCharts(world, 'desktop');
    const cpu = chart('CPU');
    const slider = cpu.getByRole('slider', { name: 'CPU' });
    await slider.focus();
    for (const [key, shown] of Object.entries({
      ArrowLeft: 'Nov 20, 12:10 · 60%',
      PageDown: 'Nov 20, 12:08 · 50%',
      Home: 'Nov 20, 12:00 · 0%',
      ArrowRight: 'Nov 20, 12:00 · 1%',
      Escape: 'now 60%, peak 60%',
    })) {
      await page.keyboard.press(key);
      await cpu.getByText(shown, { exact: true }).waitFor();
      t.equal(await slider.getAttribute('aria-valuetext'), shown);
    }
    t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
    await close(t);
  });

  await t.test('a finger selects a point', async (t) => {
    const { page, chart, plot, close } = await openCharts(world, 'phone');
    const cpu = chart('CPU');
    const { x, y, width, height } = (await plot('CPU').boundingBox())!;
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

  await t.test('a low tick rate is amber, and a very low one red', async (t) => {
    const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
    const { page, follow } = window;
    await signInAs(window, gamekeeper);
    await follow('/servers/demo/settings');
    for (const [lagMs, shown, colour] of [
      [56, /^1[5-8]\.\d · /, 'yellow'],
      [80, /^1[0-2]\.\d · /, 'red'],
    ] as const) {
      await gamekeeper.api('POST', '/instances/demo/commands', { command: `demo lag ${lagMs}` });
      const tps = page.getByTitle('The server lags').filter({ hasText: shown });
      await tps.waitFor(PATIENCE);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await until(
          `${lagMs} ms are ${colour} in the ${colorScheme} scheme`,
          async () => (await textColour(tps)) === (await themeColour(page, `${colour}-light-color`)),
        );
      }
    }
    t.pass();
    await page.context().close();
  });
});

/** Points 10 s apart, the first at noon; the value of each is its index. */
function historyOf(count: number): History {
  const points = Array.from({ length: count }, (_, place) => ({
    at: new Date(MIDDAY + place * 10_000).toISOString(),
    cpuPercent: place,
    memoryUsedMb: 100,
  }));
  return { range: '1h', stepSeconds: 10, until: points.at(-1)!.at, points, events: [] };
}
