import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import {
  accessibilityFaults,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { startFakeVendors } from '../support/jobs/fake-vendors.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('a failed start is shown once, with a button that fixes it', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  const { port } = holder.address() as { port: number };
  const vendors = await startFakeVendors(t, { java: Buffer.alloc(1) });
  for (const file of ['/server.jar', '/jre.tar.gz']) vendors.files.delete(file);
  const { base } = vendors;
  const gamekeeper = await startGamekeeper(t, { settings: { vendors: { mojang: base, adoptium: base } } });
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port });
  await gamekeeper.api('POST', '/instances', { software: 'vanilla', name: 'Licensed', version: '1.20.4' });
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit, follow, complaints } = window;
  await signInAs(window, gamekeeper);
  const start = page.getByRole('button', { name: 'Start', exact: true });
  const notice = page.getByRole('alert').filter({ hasText: 'Failed to start' });

  await t.test('a port that is taken: another port', async (t) => {
    await visit('/servers/demo/console');
    await start.click();
    const fix = notice.getByRole('button', { name: /^Use port \d+ and start$/ });
    await fix.waitFor();
    t.equal(await page.getByRole('alert').count(), 1, 'no message repeats it');
    await notice.getByText(`The port ${port} is in use by`).waitFor();
    await page.getByTestId('phase').getByText('Failed to start').waitFor();
    t.notOk(await scrollsSideways(page), 'it fits on a phone');
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');

    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to…').fill('start demo');
    await page.getByRole('button', { name: 'Start Demo' }).waitFor();
    const looked = page.waitForResponse(
      (response) => response.url().endsWith('/instances/demo') && response.request().method() === 'GET',
    );
    await page.keyboard.press('Enter');
    await looked;
    await fix.waitFor();
    t.equal(await page.getByRole('alert').count(), 1, 'also if it was started from the palette');
    const offered = Number(/\d+/.exec((await fix.textContent()) ?? '')?.[0]);
    await fix.click();
    await page.getByTestId('phase').getByText('Running').waitFor();
    await notice.waitFor({ state: 'detached' });
    t.equal((await gamekeeper.api<Instance>('GET', '/instances/demo')).body.port, offered);
    await follow('/servers/demo/crashes');
    await page.getByText('No crashes').waitFor();
  });

  const accept = notice.getByRole('button', { name: 'Accept the EULA and start' });
  await t.test('a EULA: to accept it', async () => {
    await follow('/servers/licensed/console');
    await start.click();
    await accept.waitFor();
    await notice.getByRole('link', { name: 'Read the EULA' }).waitFor();
  });

  await t.test('a failed download: to try again', async (t) => {
    await accept.click();
    const again = notice.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await notice.getByText(`${new URL(base).host} returned status 404.`).waitFor();
    t.equal(await page.getByRole('alert').count(), 1, 'no message repeats it');
    const asked = vendors.requests.length;
    await again.click();
    await until('the vendor is asked again', () => vendors.requests.length > asked);
    await again.waitFor();
    t.equal(await page.getByRole('alert').count(), 1, 'nor that of the second attempt');
  });
  t.same(
    complaints.filter((complaint) => !/409/.test(complaint)),
    [],
  );
});
