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

/** Pages, with what shows that they have loaded. */
const PAGES: Record<string, { heading: string } | { tab: string }> = {
  '/': { heading: 'Servers' },
  '/new': { heading: 'New server' },
  '/servers/demo/console': { tab: 'Console' },
  '/servers/demo/players': { tab: 'Players' },
  '/servers/demo/properties': { tab: 'Properties' },
  '/servers/demo/files': { tab: 'Files' },
  '/servers/demo/worlds': { tab: 'Worlds' },
  '/servers/demo/backups': { tab: 'Backups' },
  '/servers/demo/schedules': { tab: 'Schedules' },
  '/servers/demo/charts': { tab: 'Charts' },
  '/servers/demo/crashes': { tab: 'Crashes' },
  '/servers/crashed/crashes': { tab: 'Crashes' },
  '/servers/demo/settings': { tab: 'Settings' },
  '/host/users': { heading: 'Users' },
  '/host/tokens': { heading: 'Tokens' },
  '/host/account': { heading: 'Account' },
  '/host/storage': { heading: 'Storage' },
  '/host/remote': { heading: 'Network access' },
  '/host/link': { heading: 'Remote access' },
  '/host/games': { heading: 'Games' },
  '/host/java': { heading: 'No Java yet' },
  '/host/audit': { heading: 'Audit log' },
  '/host/about': { heading: 'About' },
  '/nowhere': { heading: 'Page not found' },
};

/** Colours do not depend on the width, so the phone is checked in one scheme only. */
const LOOKS = [
  { screen: 'desktop', schemes: ['dark', 'light'] },
  { screen: 'phone', schemes: ['light'] },
] as const;

const PLACEHOLDERS = '.mantine-Skeleton-root, .mantine-Loader-root';

t.test('every page passes axe and fits into the window', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await gamekeeper.api('POST', '/instances/demo/commands', { command: 'demo join Steve' });
  await gamekeeper.api('POST', '/instances/demo/backup', {});
  await gamekeeper.api('POST', '/instances', {
    software: 'demo',
    name: 'Crashed',
    port: await freePort(),
    crashPolicy: { restart: 'never' },
  });
  await gamekeeper.api('POST', '/instances/crashed/start');
  await gamekeeper.waitForStatus('crashed', 'running');
  await gamekeeper.api('POST', '/instances/crashed/commands', { command: 'demo crash' });
  await gamekeeper.waitForStatus('crashed', 'stopped');

  for (const { screen, schemes } of LOOKS) {
    const window = await openWindow(browser, gamekeeper, { screen, scheme: 'dark' });
    const { page, follow, complaints } = window;
    await signInAs(window, gamekeeper);
    for (const [path, sign] of Object.entries(PAGES)) {
      await follow(path);
      if ('heading' in sign) await page.getByRole('heading', { name: sign.heading, exact: true }).waitFor();
      else await page.getByRole('tab', { name: sign.tab, selected: true }).waitFor();
      await until('everything has loaded', async () => (await page.locator(PLACEHOLDERS).count()) === 0);
      t.same(await accessibilityFaults(page, schemes), [], `${path} on a ${screen}: axe finds nothing`);
      t.notOk(await scrollsSideways(page), `${path} on a ${screen}: fits into the window`);
    }
    t.same(complaints, [], `on a ${screen}: no errors in the browser console, no requests to other hosts`);
    await page.context().close();
  }
});
