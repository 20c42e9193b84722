import t from 'tap';
import type { SftpState } from '../../shared/schema/sftp.ts';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { administrator } from '../support/browser/panel-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('SFTP is turned on, shows how to connect, and is turned off, at both widths', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const admin = await administrator(gamekeeper);
  const read = async () => (await admin.ask<SftpState>('GET', '/api/sftp')).body;
  for (const screen of ['phone', 'desktop'] as const) {
    const window = await openWindow(browser, gamekeeper, { screen, scheme: 'light' });
    const { page, visit } = window;
    await signInAs(window, gamekeeper);
    await visit('/host/remote');
    const card = page.getByRole('region', { name: 'SFTP' });
    const save = card.getByRole('button', { name: 'Save' });
    const toggle = card.getByRole('switch', { name: 'Allow SFTP' });
    const port = await freePort();
    await toggle.focus();
    await page.keyboard.press('Space');
    await field(page, 'SFTP port').fill(String(port));
    await save.click();
    await card.getByText(`sftp -P ${port} admin@127.0.0.1`).waitFor();
    const { listening } = await read();
    t.equal(listening?.port, port);
    await card.getByText(listening!.fingerprint).waitFor();
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], screen);
    t.notOk(await scrollsSideways(page), screen);
    await toggle.focus();
    await page.keyboard.press('Space');
    await save.click();
    await card.getByText(listening!.fingerprint).waitFor({ state: 'detached' });
    t.same(await read(), { enabled: false, listening: null });
  }
});
