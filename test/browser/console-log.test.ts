import { readFile } from 'node:fs/promises';
import t from 'tap';
import { openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startWithDemo } from '../support/processes/running-demo.ts';

/** More than a console loads at first, and more than one response of the API holds. */
const LINES = 20_000;

t.test("the log is downloaded and copied in full, without the panel's own notices", async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startWithDemo(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Empty', port: await freePort() });
  const window = await openWindow(
    browser,
    gamekeeper,
    { screen: 'desktop', scheme: 'dark' },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
  const { page, visit, complaints } = window;
  const rows = page.locator('.xterm-rows');
  const download = page.getByRole('button', { name: 'Download full log' });
  await signInAs(window, gamekeeper);

  await t.test('an empty log is not downloaded', async (t) => {
    await visit('/servers/empty/console');
    await page.locator('.console-terminal[data-state=open]').waitFor();
    await page.getByRole('heading', { name: 'No output yet' }).waitFor();
    t.equal(await page.locator('main .picture').count(), 1);
    await download.click();
    await page.getByRole('alert').getByText('No output yet').waitFor();
  });

  // Reopens the console after the flood: it loads only the end of the log.
  await visit('/servers/demo/console');
  await gamekeeper.api('POST', '/instances/demo/commands', { command: `demo flood ${LINES}` });
  await rows.getByText('Flooded the console').waitFor();
  await visit('/servers/demo/console');
  await rows.getByText('Flooded the console').waitFor();
  await page.getByLabel('Command', { exact: true }).fill('say \u0007');
  await page.keyboard.press('Enter');
  await rows.getByText('── [gamekeeper] refused ──').waitFor();
  // Beside the line, where no game can print.
  await page.locator('.console-notice').last().waitFor();

  await t.test('downloads every line once', async (t) => {
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
    t.equal(file.suggestedFilename(), 'demo.log');
    const lines = (await readFile(await file.path(), 'utf8')).split('\n');
    t.equal(lines.pop(), '', 'the last line ends with a line break');
    const numbers = lines.flatMap((line) => /\[Flood\/INFO\]: line (\d+)/.exec(line)?.[1] ?? []).map(Number);
    t.same(
      numbers,
      Array.from({ length: LINES }, (_, index) => index + 1),
      'every line once, in order',
    );
    const { body } = await gamekeeper.api<{ lines: string[] }>('GET', '/instances/demo/logs?lines=1000');
    t.same(lines.slice(-1_000), body.lines, 'as the API returns them: redacted, without colours');
    t.notMatch(lines.join('\n'), /refused/);
  });

  await t.test('copies the displayed lines', async (t) => {
    await page.getByRole('button', { name: 'Copy displayed log' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    t.match(copied, `Flooded the console with ${LINES} lines`);
    t.notMatch(copied, /refused|──/);
  });

  await t.test('copies what is selected, but not a match of the search', async () => {
    // The screen is in front of its rows.
    await rows.getByText('Flooded the console').click({ clickCount: 3, force: true });
    await page.getByRole('button', { name: 'Copy selection' }).click();
    const line = new RegExp(`^\\[[\\d:]{8}\\] \\[Flood/INFO\\]: Flooded the console with ${LINES} lines$`);
    await until('the line is copied', async () => line.test(await page.evaluate('navigator.clipboard.readText()')));
    await page.keyboard.press('Control+f');
    await page.getByLabel('Search the console').fill('Flooded');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy displayed log' }).waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('reports a download that failed', async () => {
    await page.routeWebSocket(/\/console\?.*after=0/, (socket) => socket.close());
    await download.click();
    const alert = page.getByRole('alert').filter({ hasText: 'Log not downloaded' });
    await alert.getByText(/The connection was lost/).waitFor();
  });

  t.same(complaints, [], 'no errors in the browser console');
});
