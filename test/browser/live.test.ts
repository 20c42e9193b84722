import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import { chooseInPalette, field, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

/** What may travel until the first page is there, compressed. Bytes. */
const MOST_AT_FIRST = 400_000;

/** A whole evening of a busy server. */
const FLOOD = 100_000;
/** So many lines may come between two pictures that the browser draws: more would be seen as standing still. */
const MOST_LINES_PER_FRAME = 5_000;

t.test('the panel stays live, light and safe', async (t) => {
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
    t.ok(bytes < MOST_AT_FIRST, `${bytes} bytes`);
    const policy = (await page.request.get(page.url())).headers()['content-security-policy'] ?? '';
    t.match(policy, /script-src 'self'(?:;|$)/, 'no inline script, no foreign one');
  });

  await t.test('by keyboard alone: the palette starts a server', async () => {
    await chooseInPalette(page, 'Start Demo');
    await gamekeeper.waitForStatus('demo', 'running');
    await page.getByRole('article', { name: 'Demo' }).getByText('Running').waitFor();
  });

  await t.test('hostile names are text', async (t) => {
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
    t.equal(await page.locator('img').count(), 0, 'none of them became an element');
  });

  await t.test('two tabs share one stream of events', async (t) => {
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByTestId('phase').getByText('Running').waitFor();
    const streams = async () => {
      const metrics = await gamekeeper.api<string>('GET', '/metrics');
      return /^gamekeeper_event_streams(?:\{[^}]*\})? (\d+)$/m.exec(String(metrics.body))?.[1];
    };
    t.equal(await streams(), '1', 'as the gateway counts them');
    await gamekeeper.api('POST', '/instances/demo/restart');
    for (const each of [page, second]) await each.getByTestId('phase').getByText('Running').waitFor();
    await second.close();
  });

  await t.test('100,000 lines do not make the page stand still', async (t) => {
    await visit('/servers/demo/console');
    await page.locator('.console-terminal[data-state=open]').waitFor();
    await page.evaluate('window.frames_ = 0; (function next() { window.frames_++; requestAnimationFrame(next); })()');
    await command(`demo flood ${FLOOD}`);
    await page.locator('.xterm-rows').getByText('Flooded the console').waitFor({ timeout: 60_000 });
    const frames = await page.evaluate<number>('window.frames_');
    t.ok(frames > FLOOD / MOST_LINES_PER_FRAME, `${frames} pictures`);
  });

  await t.test('a killed gateway: the console says so, and goes on without a gap', async (t) => {
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
    t.equal(body.status, 'running', 'the server has not noticed');
  });

  const expected = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE|WebSocket connection/;
  t.same(
    complaints.filter((complaint) => !expected.test(complaint)),
    [],
    'nothing in the console but the lost connection',
  );
});
