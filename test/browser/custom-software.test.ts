import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
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
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Says what it was given, and ends when told so. */
const SCRIPT =
  'echo "argument $0, map $MAP, slots $SLOTS, pvp $PVP"; while read -r line; do [ "$line" = quit ] && exit 0; done';
const OLGA = { username: 'olga', password: 'a word of my own' };

const ARENA = {
  kind: 'arena',
  title: 'Arena',
  defaultVersion: '1',
  launch: {
    type: 'system',
    program: ['sh'],
    args: ['-c', SCRIPT, 'arena'],
    env: { MAP: '{map}', SLOTS: '{slots}', PVP: '{pvp}', KEY: '{key}' },
    missing: 'Install a shell.',
  },
  gamePort: { first: 27_015, transport: 'udp' },
  variables: [
    {
      name: 'map',
      title: 'First map',
      type: 'text',
      rule: { pattern: '[a-z]+' },
      default: 'dust',
      editableBy: 'operator',
    },
    { name: 'slots', title: 'Slots', type: 'number', rule: { min: 1, max: 64 }, default: '16', editableBy: 'admin' },
    { name: 'pvp', title: 'Fights', type: 'boolean', default: 'false', editableBy: 'operator' },
    {
      name: 'mode',
      title: 'Mode',
      type: 'choice',
      rule: { choices: ['duel', 'team'] },
      default: 'duel',
      editableBy: 'operator',
    },
    { name: 'key', title: 'Join key', type: 'text', secret: true, default: '', editableBy: 'operator' },
    { name: 'fixed', title: 'Fixed', type: 'text', default: 'x', editableBy: 'nobody' },
  ],
  readyPattern: '^argument',
  stop: { command: 'quit' },
};

const logOf = async ({ api }: Gamekeeper, id: string) =>
  (await api<{ lines: string[] }>('GET', `/instances/${id}/logs?lines=100`)).body.lines.join('\n');

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

t.test('a custom program is created with its command, which can be changed', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const { api, waitForStatus } = gamekeeper;
  const folder = path.join(temporaryFolder(t), 'my game');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'start.sh'), SCRIPT);
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/new');
  await page.getByRole('radio', { name: /^Custom program/ }).click();
  await field(page, 'Name').fill('Mine');
  await field(page, 'Port').fill(String(await freePort()));
  await field(page, 'Folder').fill(folder);
  await field(page, 'Stop command').fill('quit');
  await field(page, 'Environment variables').fill('MAP=castle');
  await page.getByRole('combobox', { name: 'Players can join' }).click();
  await page.getByRole('option', { name: 'After some time' }).click();
  await field(page, 'Time after the start').fill('1');
  await page.getByRole('checkbox', { name: 'Players connect over UDP' }).check();
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await page.getByRole('checkbox', { name: 'Start it now' }).uncheck();
  await field(page, 'Start command').fill('sh -c ". ./start.sh');
  await button(page, 'Create server').click();
  await page.getByText('A quote is not closed.').waitFor();
  await field(page, 'Start command').fill('"" x');
  await button(page, 'Create server').click();
  await page.getByText('must begin with a program').waitFor();
  await field(page, 'Start command').fill('sh -c ". ./start.sh" first');
  await button(page, 'Create server').click();
  await page.waitForURL('**/servers/mine/console');
  t.match((await api('GET', '/instances/mine/configuration')).body, {
    launch: { command: ['sh', '-c', '. ./start.sh', 'first'] },
    stopCommand: 'quit',
    transport: 'udp',
    env: { MAP: 'castle' },
    readyAfterSeconds: 1,
  });

  await visit('/servers/mine/settings');
  const command = field(page, 'Start command');
  await until('the command is shown', async () => (await command.inputValue()) === 'sh -c ". ./start.sh" first');
  await command.fill(`sh -c ". ./start.sh" 'second one'`);
  await page.getByRole('checkbox', { name: 'Players connect over UDP' }).uncheck();
  await button(page, 'Save').click();
  await until('it is saved', async () => {
    const { body } = await api<{ transport?: string }>('GET', '/instances/mine/configuration');
    return body.transport === 'tcp';
  });
  const environment = field(page, 'Environment variables');
  await until('the environment is shown', async () => (await environment.inputValue()) === 'MAP=castle');
  await environment.fill('MAP');
  await button(page, 'Save').click();
  await page.getByText('Each line must be NAME=value.').waitFor();
  await environment.fill('MAP=harbour\nSLOTS=4');
  await page.getByRole('combobox', { name: 'Players can join' }).click();
  await page.getByRole('option', { name: 'After a line in the console' }).click();
  await field(page, 'Line').fill('^argument');
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing in the settings');
  await button(page, 'Save').click();
  await until('it is saved', async () => {
    const { body } = await api<{ readyPattern?: string }>('GET', '/instances/mine/configuration');
    return body.readyPattern === '^argument';
  });
  await api('POST', '/instances/mine/start');
  await waitForStatus('mine', 'running');
  t.match(await logOf(gamekeeper, 'mine'), 'argument second one, map harbour, slots 4');
  await api('POST', '/instances/mine/stop');
  await waitForStatus('mine', 'stopped');
});

t.test('the variables of a kind are form fields, with the errors of the server beside them', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const { api, waitForStatus } = gamekeeper;
  writeFileSync(path.join(gamekeeper.home, 'software/arena.json'), JSON.stringify(ARENA));
  await until('the kind is known', async () => /"arena"/.test(JSON.stringify((await api('GET', '/software')).body)));
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/new');
  await page.getByRole('radio', { name: /^Arena/ }).click();
  await field(page, 'Name').fill('Arena');
  await field(page, 'Port').fill(String(await freePort()));
  t.equal(await field(page, 'First map').inputValue(), 'dust');
  t.equal(await field(page, 'Slots').inputValue(), '16');
  t.equal(await field(page, 'Fixed').count(), 0);
  await page.getByText('From 1 to 64. Default: 16.').waitFor();
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await field(page, 'First map').fill('Castle 1');
  await field(page, 'Slots').fill('65');
  await button(page, 'Create server').click();
  await page.getByText('must match [a-z]+', { exact: true }).waitFor();
  await field(page, 'First map').fill('castle');
  await button(page, 'Create server').click();
  await page.getByText('Must be at most 64.', { exact: true }).waitFor();
  await field(page, 'Slots').fill('8');
  await page.getByRole('checkbox', { name: 'Fights' }).check();
  await field(page, 'Join key').fill('hunter2');
  await button(page, 'Create server').click();
  await page.waitForURL('**/servers/arena/console');
  await waitForStatus('arena', 'running');
  t.match(await logOf(gamekeeper, 'arena'), 'argument arena, map castle, slots 8, pvp true');

  await visit('/servers/arena/settings');
  const form = page.getByRole('region', { name: 'Game settings' });
  const save = form.getByRole('button', { name: 'Save' });
  await until('it is shown', async () => (await field(page, 'First map').inputValue()) === 'castle');
  t.equal(await field(page, 'Join key').inputValue(), '', 'a secret is not shown');
  await field(page, 'Slots').fill('0');
  await save.click();
  await form.getByText('Must be at least 1.', { exact: true }).waitFor();
  await field(page, 'Slots').fill('4');
  await page.getByRole('combobox', { name: 'Mode' }).click();
  await page.getByRole('option', { name: 'team' }).click();
  await save.click();
  const stored = async () => {
    const { body } = await api<{ name: string; value?: string; isSet: boolean }[]>('GET', '/instances/arena/variables');
    return Object.fromEntries(body.map(({ name, value, isSet }) => [name, value ?? isSet]));
  };
  await until('it is saved', async () => (await stored()).slots === '4');
  t.same(await stored(), { map: 'castle', slots: '4', pvp: 'true', mode: 'team', key: true, fixed: 'x' });
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing in the settings');

  await t.test('a secret gets its default again', async (t) => {
    await button(page, 'Join key: back to default').click();
    t.equal(await field(page, 'Join key').getAttribute('placeholder'), 'Gets its default when you save.');
    t.same(await accessibilityFaults(page, ['light', 'dark']), []);
    await save.click();
    await until('it has its default', async () => (await stored()).key === false);
    await button(page, 'Join key: back to default').waitFor({ state: 'detached' });
  });

  await t.test('an operator changes what operators may', async (t) => {
    const admin = await administrator(gamekeeper);
    await admin.ask('POST', '/api/users', { ...OLGA, role: 'operator' });
    await admin.ask('PATCH', '/api/users/olga', { mustChangePassword: false });
    const theirs = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
    await signInAs(theirs, OLGA);
    await theirs.visit('/servers/arena/settings');
    await field(theirs.page, 'First map').fill('harbour');
    t.ok(await field(theirs.page, 'Slots').isDisabled());
    t.equal(await field(theirs.page, 'Memory').count(), 0, 'the settings of administrators are not shown');
    t.same(await accessibilityFaults(theirs.page, ['light', 'dark']), []);
    await button(theirs.page, 'Save').click();
    await until('it is saved', async () => (await stored()).map === 'harbour');
    t.same(theirs.complaints, [], 'no errors in the browser console');
  });
});
