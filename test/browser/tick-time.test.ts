import t from 'tap';
import {
  accessibilityFaults,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('the header and a chart show the tick time, unless the server reports none', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances', {
    software: 'custom',
    name: 'Own',
    port: await freePort(),
    launch: { command: ['sh', '-c', 'echo up; exec cat'] },
    readyPattern: 'up',
  });
  for (const id of ['demo', 'own']) {
    await gamekeeper.api('POST', `/instances/${id}/start`);
    await gamekeeper.waitForStatus(id, 'running');
  }
  await gamekeeper.api('POST', '/instances/demo/commands', { command: 'demo lag 80' });

  for (const screen of ['desktop', 'phone'] as const) {
    const window = await openWindow(browser, gamekeeper, { screen, scheme: 'dark' });
    const { page, follow, complaints } = window;
    const chart = (title: string) => page.getByRole('figure').filter({ hasText: title });
    await signInAs(window, gamekeeper);
    await follow('/servers/demo/charts');
    await page.getByText(/^TPS 1[0-2]\.\d · [89]\d ms/).waitFor();
    await chart('Tick time')
      .getByText(/now [89]\d ms, peak [89]\d ms/)
      .waitFor();
    await page.getByText('Dashed: 50 ms').waitFor();
    t.same(await accessibilityFaults(page, ['dark', 'light']), [], `on a ${screen}: axe finds nothing`);
    t.notOk(await scrollsSideways(page), `on a ${screen}: fits into the window`);
    if (screen === 'desktop') {
      const sparkline = page.getByRole('link', { name: 'TPS: Charts' }).locator('path');
      const describe = () => sparkline.getAttribute('d');
      await until('the sparkline ends with the few TPS of the lag', async () => endsLow(await describe()), {
        describe,
      });
      await follow('/');
      const lagging = page.getByRole('article', { name: 'Demo' }).getByText(/^TPS 1[0-2]\.\d/);
      await lagging.getByRole('img', { name: 'The server lags: it should reach 20 ticks per second.' }).waitFor();
      t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing on the card');
      await follow('/servers/own/charts');
      await chart('RAM').waitFor();
      t.equal(await chart('Tick time').count(), 0, 'no empty chart');
      t.equal(await page.getByText(/TPS|Dashed/).count(), 0);
    }
    t.same(complaints, []);
    await page.context().close();
  }
});

/** Returns whether the last two points of a sparkline are between 8 and 14 of 20, which are from 17 px at the bottom to 1 px at the top. */
function endsLow(path: string | null): boolean {
  const heights = [...(path ?? '').matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, height]) => Number(height));
  const last = heights.slice(-2).map((height) => ((17 - height) / 16) * 20);
  return last.length === 2 && last.every((tps) => tps >= 8 && tps <= 14);
}
