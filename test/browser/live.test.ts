import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import { chooseInPalette, field, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

/** Compressed bytes until the first page is shown. */
const MAX_FIRST_LOAD = 400_000;

/** A whole evening of a busy server. */
const FLOOD = 100_000;
/** With more lines per frame the page would seem to freeze. */
const MAX_LINES_PER_FRAME = 5_000;

t.test('the panel loads fast, stays live and treats names as text', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const hostile = '<img src=x onerror="document.title=\'owned\'">';
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: hostile, id: 'hostile' });
  const command = (text: string) => gamekeeper.api('POST', '/instances/demo/commands', { command: text });
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, visit, follow, complaints } = window;

  await t.test('the first load is small, and no foreign script runs', async (t) => {
    let bytes = 0;
    const sizes: Promise<void>[] = [];
    const count = async (request: { sizes(): Promise<{ responseBodySize: number; responseHeadersSize: number }> }) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      bytes += responseBodySize + responseHeadersSize;
    };
    page.on('requestfinished', (request) => sizes.push(count(request)));
    await signInAs(window, gamekeeper);
    await page.getByRole('article', { name: 'Demo' }).waitFor();
    await Promise.all(sizes);
    t.ok(bytes < MAX_FIRST_LOAD, `${bytes} bytes`);
    const policy = (await page.request.get(page.url())).headers()['content-security-policy'] ?? '';
    t.match(policy, /script-src 'self'(?:;|$)/, 'no inline scripts, none from other hosts');
  });

  await t.test('the palette starts a server by keyboard alone', async () => {
    await chooseInPalette(page, 'Start Demo');
    await gamekeeper.waitForStatus('demo', 'running');
    await page.getByRole('article', { name: 'Demo' }).getByText('Running').waitFor();
  });

  await t.test('names with markup are shown as text', async (t) => {
    await page.getByRole('article', { name: hostile }).getByText(hostile).waitFor();
    await page.route('**/instances/demo/players', (route) =>
      route.fulfill({ json: [{ name: hostile }], contentType: 'application/json' }),
    );
    await follow('/servers/demo/players');
    await page.getByRole('cell', { name: hostile, exact: true }).waitFor();
    await page.unroute('**/instances/demo/players');
    await gamekeeper.api('PUT', '/instances/demo/properties', { properties: { motd: hostile } });
    await follow('/servers/demo/properties');
    await until(
      'the message is shown',
      async () => (await field(page, 'Message of the day motd').inputValue()) === hostile,
    );
    t.notMatch(await page.title(), 'owned');
    t.equal(await page.locator('img').count(), 0, 'no text became an element');
  });

  await t.test('two tabs share one stream of events', async (t) => {
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByTestId('phase').getByText('Running').waitFor();
    // A restart would make the game's answers fail.
    for (const each of [page, second]) await each.getByRole('switch', { name: 'keepInventory' }).waitFor();
    const streams = async () => {
      const metrics = await gamekeeper.api<string>('GET', '/metrics');
      return /^gamekeeper_event_streams(?:\{[^}]*\})? (\d+)$/m.exec(String(metrics.body))?.[1];
    };
    t.equal(await streams(), '1', "by the gateway's metrics");
    await gamekeeper.api('POST', '/instances/demo/restart');
    for (const each of [page, second]) await each.getByTestId('phase').getByText('Running').waitFor();
    await second.close();
  });

  await t.test('100,000 lines do not freeze the page', async (t) => {
    await visit('/servers/demo/console');
    await page.locator('.console-terminal[data-state=open]').waitFor();
    await page.evaluate('window.frames_ = 0; (function next() { window.frames_++; requestAnimationFrame(next); })()');
    await command(`demo flood ${FLOOD}`);
    await page.locator('.xterm-rows').getByText('Flooded the console').waitFor({ timeout: 60_000 });
    const frames = await page.evaluate<number>('window.frames_');
    t.ok(frames > FLOOD / MAX_LINES_PER_FRAME, `${frames} frames`);
  });

  await t.test('after a crash of the gateway the console reconnects without a gap', async (t) => {
    const rows = page.locator('.xterm-rows');
    const gateway = processesOf(gamekeeper.home).find(({ command }) => command.includes('/gateway/main.js'));
    if (!gateway) throw new Error('There is no gateway.');
    process.kill(gateway.pid, 'SIGKILL');
    await rows.getByText('connection lost').waitFor();
    await rows.getByText('reconnected, no lines missed').waitFor();
    await page.getByLabel('Command', { exact: true }).fill('say we are back');
    await page.keyboard.press('Enter');
    await rows.getByText('we are back').first().waitFor();
    const { body } = await gamekeeper.api<Instance>('GET', '/instances/demo');
    t.equal(body.status, 'running', 'the server keeps running');
  });

  const expected = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE|WebSocket connection/;
  t.same(
    complaints.filter((complaint) => !expected.test(complaint)),
    [],
    'no errors in the browser console but the lost connection',
  );
});
