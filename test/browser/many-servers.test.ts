import type { Locator } from 'playwright-core';
import t from 'tap';
import { openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** More than fit into the navigation. They are never started, so their ports need not be free. */
const SERVERS = 25;
const FIRST_PORT = 30_100;

t.test('with many servers, the open one, "New server" and the host pages stay in sight', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  for (let number = 1; number <= SERVERS; number++)
    await gamekeeper.api('POST', '/instances', {
      software: 'demo',
      name: `Server ${number}`,
      port: FIRST_PORT + number,
    });

  for (const screen of ['desktop', 'phone'] as const) {
    const window = await openWindow(browser, gamekeeper, { screen, scheme: 'dark' });
    const { page, visit } = window;
    await signInAs(window, gamekeeper);
    await visit(`/servers/server-${SERVERS - 1}/console`);
    await page.getByRole('tab', { name: 'Console', selected: true }).waitFor();
    if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
    const navigation = page.getByRole('navigation');
    for (const name of [`Server ${SERVERS - 1}`, 'New server', 'Users', 'About'])
      await until(`${name} is visible, ${screen}`, () => isInSight(navigation.getByRole('link', { name })));
    t.notOk(await isInSight(navigation.getByRole('link', { name: /Server 1\b/ })), 'the first is above');
    await page.context().close();
  }
});

/** Whether a click at its centre hits it. */
async function isInSight(link: Locator): Promise<boolean> {
  const box = await link.boundingBox();
  if (!box) return false;
  const hit = `document.elementFromPoint(${box.x + box.width / 2}, ${box.y + box.height / 2})?.closest('a')?.href`;
  return (
    (await link.page().evaluate<string | undefined>(hit))?.endsWith((await link.getAttribute('href')) ?? ' ') === true
  );
}
