import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { startFakeFabric } from '../../workers/jobs/mods/fake-fabric.ts';
import { GAME, startFakeModrinth } from '../../workers/jobs/mods/fake-modrinth.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { type Gamekeeper, startGamekeeper } from '../processes/gamekeeper.ts';
import { hasLoaded, type PanelWindow } from './browser.ts';
import { administrator, newUser } from './panel-user.ts';

/** What shows that a page has loaded. */
type Sign = { heading: string } | { tab: string } | { button: string } | { text: string };

/** `choice`: the view of the page that is chosen there. */
type PanelPage = { path: string; choice?: string } & Sign;

/** Every page for signed-in users, with its states that look different, by the name for a picture. */
export const PAGES: Record<string, PanelPage> = {
  servers: { path: '/', heading: 'Servers' },
  new: { path: '/new', heading: 'New server' },
  'new-modpack': { path: '/new', choice: 'Use a modpack', button: 'Choose Pack' },
  'new-import': { path: '/new', choice: 'Import existing', button: 'Inspect' },
  console: { path: '/servers/demo/console', text: '▸ more lines' },
  'console-crashed': { path: '/servers/crashed/console', tab: 'Console' },
  'console-failed-start': { path: '/servers/taken/console', text: 'is in use by' },
  players: { path: '/servers/demo/players', tab: 'Players' },
  properties: { path: '/servers/demo/properties', tab: 'Properties' },
  mods: { path: '/servers/modded/mods', text: 'calm-1.jar' },
  files: { path: '/servers/demo/files', tab: 'Files' },
  'file-editor': { path: '/servers/demo/files?open=server.properties', button: 'History' },
  worlds: { path: '/servers/demo/worlds', tab: 'Worlds' },
  backups: { path: '/servers/demo/backups', tab: 'Backups' },
  'backups-none': { path: '/servers/crashed/backups', tab: 'Backups' },
  schedules: { path: '/servers/demo/schedules', tab: 'Schedules' },
  'schedules-none': { path: '/servers/crashed/schedules', tab: 'Schedules' },
  charts: { path: '/servers/demo/charts', tab: 'Charts' },
  crashes: { path: '/servers/crashed/crashes', tab: 'Crashes' },
  'crashes-none': { path: '/servers/demo/crashes', tab: 'Crashes' },
  tunnel: { path: '/servers/demo/tunnel', tab: 'Public address' },
  settings: { path: '/servers/demo/settings', tab: 'Settings' },
  users: { path: '/host/users', heading: 'Users' },
  tokens: { path: '/host/tokens', heading: 'Tokens' },
  account: { path: '/host/account', heading: 'Account' },
  storage: { path: '/host/storage', heading: 'Storage' },
  remote: { path: '/host/remote', heading: 'Network access' },
  link: { path: '/host/link', heading: 'Remote access' },
  games: { path: '/host/games', heading: 'Games' },
  'new-minecraft': { path: '/new?kind=fabric', text: 'I accept the Minecraft EULA' },
  java: { path: '/host/java', heading: 'No Java yet' },
  audit: { path: '/host/audit', heading: 'Audit log' },
  about: { path: '/host/about', heading: 'About' },
  'not-found': { path: '/nowhere', heading: 'Page not found' },
};

/** Opens a page for a signed-in user and waits until it has loaded. */
export async function openPage({ page, follow }: PanelWindow, { path, choice, ...sign }: PanelPage): Promise<void> {
  await follow(path);
  if (choice !== undefined) await page.getByText(choice, { exact: true }).click();
  await signOn(page, sign).waitFor();
  await hasLoaded(page);
}

function signOn(page: Page, sign: Sign): Locator {
  if ('heading' in sign) return page.getByRole('heading', { name: sign.heading, exact: true });
  if ('tab' in sign) return page.getByRole('tab', { name: sign.tab, selected: true });
  if ('button' in sign) return page.getByRole('button', { name: sign.button, exact: true });
  return page.getByText(sign.text).filter({ visible: true }).first();
}

/** Starts Gamekeeper with servers for all of `PAGES`: one that runs, one that crashed, one that could not start, and one with mods. */
export async function startWithEveryPage(t: Test): Promise<Gamekeeper> {
  const modrinth = await startFakeModrinth(t);
  modrinth.add({ slug: 'calm', versions: [{ number: '1' }] });
  modrinth.add({ slug: 'pack', type: 'modpack', versions: [{ number: '1' }] });
  const fabric = await startFakeFabric(t, GAME);
  const vendors = { modrinth: modrinth.base, fabric: fabric.base };
  const backups = { stores: [{ name: 'second-disk', kind: 'folder', directory: temporaryFolder(t) }] };
  const gamekeeper = await startGamekeeper(t, { settings: { vendors, backups } });
  const { api, waitForStatus } = gamekeeper;
  const start = async (id: string) => {
    await api('POST', `/instances/${id}/start`);
    await waitForStatus(id, 'running');
  };

  await api('POST', '/instances', { software: 'demo', name: 'Demo' });
  await start('demo');
  for (const command of [
    ...['Alex', 'Steve'].map((player) => `demo join ${player}`),
    ...['op Alex', 'ban Griefer took the sheep', 'demo exception Could not pass an event to Bridges 1.2'],
  ])
    await api('POST', '/instances/demo/commands', { command });
  await api('POST', '/instances/demo/backup', {});
  await api('PUT', '/instances/demo/schedules', {
    schedules: [{ name: 'Nightly', cron: '0 4 * * *', action: { type: 'backup' } }],
  });
  await api('POST', '/instances', { software: 'demo', name: 'Crashed', crashPolicy: { restart: 'never' } });
  await start('crashed');
  await api('POST', '/instances/crashed/commands', { command: 'demo crash' });
  await waitForStatus('crashed', 'stopped');
  await api('POST', '/instances', { software: 'demo', name: 'Taken', port: await takenPort(t) });
  await api('POST', '/instances/taken/start');
  await api('POST', '/instances', { software: 'fabric', name: 'Modded' });
  await api('POST', '/instances/modded/mods', { project: 'calm' });

  await newUser(gamekeeper, await administrator(gamekeeper), { username: 'olga', role: 'operator' });
  return gamekeeper;
}

/** Returns a port on which another program listens until the end of the test. */
async function takenPort(t: Test): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  const { port } = holder.address() as { port: number };
  return port;
}
