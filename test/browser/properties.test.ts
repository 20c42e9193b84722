import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  accessibilityFaults,
  field,
  hasFocus,
  openWindow,
  type PanelWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

type Answer = { properties: Record<string, string> };

interface Context {
  gamekeeper: Gamekeeper;
  stored: () => Promise<Record<string, string>>;
  changeElsewhere: (properties: object) => Promise<unknown>;
  page: Page;
  visit: PanelWindow['visit'];
  save: Locator;
  message: Locator;
  raw: Locator;
}

t.test('properties are edited as a form or as text, and conflicting changes are resolved', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const stored = async () => (await gamekeeper.api<Answer>('GET', '/instances/demo/properties')).body.properties;
  const changeElsewhere = (properties: object) => gamekeeper.api('PUT', '/instances/demo/properties', { properties });

  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'light' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/properties');
  const save = page.getByRole('button', { name: 'Save' });
  const message = page.getByLabel(/^Message of the day/);

  await message.fill('Mine');
  await page.getByText('1 changed').waitFor();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('tab', { name: 'Console' }).click();
  t.match(asked, [/unsaved changes/], 'a click on another tab does not lose the edit');

  await changeElsewhere({ motd: 'Theirs', pvp: 'false' });
  await save.click();
  const conflict = page.getByRole('alert').filter({ hasText: 'motd' });
  await conflict.getByRole('button', { name: 'Theirs: Theirs' }).waitFor();
  t.equal((await stored()).motd, 'Theirs', 'the other change is not overwritten');
  await conflict.getByRole('button', { name: 'Mine: Mine' }).click();
  await save.click();
  await page.getByText('Saved. Takes effect at the next start').waitFor();
  t.match(await stored(), { motd: 'Mine', pvp: 'false' }, 'the chosen value, and the other change');

  await page.getByText(/ monsters and hunger cause\. Takes effect at once\./).waitFor();
  await page.getByRole('combobox', { name: 'Difficulty' }).click();
  await page.getByRole('option', { name: 'Hard' }).click();
  await message.fill('Mine, too');
  await save.click();
  await page.getByText('Saved. In effect: Difficulty. At the next start: Message of the day.').waitFor();
  t.match(await stored(), { difficulty: 'hard', motd: 'Mine, too' });
  const undo = (saved: string) =>
    page.getByRole('alert').filter({ hasText: saved }).last().getByRole('button', { name: 'Undo' }).click();
  await undo('Saved. In effect: Difficulty.');
  await page.getByText('Previous values restored.').waitFor();
  t.match(await stored(), { difficulty: 'easy', motd: 'Mine' });
  await message.fill('Mine for now');
  await save.click();
  await page.getByText('1 changed').waitFor({ state: 'detached' });
  await changeElsewhere({ motd: 'Theirs now' });
  await undo('Saved. Takes effect at the next start.');
  await page.getByText('Nothing restored. Someone has changed this since: Message of the day.').waitFor();
  t.match(await stored(), { motd: 'Theirs now' });
  await page.getByRole('combobox', { name: 'Difficulty' }).click();
  await page.getByRole('option', { name: 'Hard' }).click();
  await message.fill('Mine for a while');
  await save.click();
  await page.getByText('2 changed').waitFor({ state: 'detached' });
  await changeElsewhere({ motd: 'Theirs again' });
  await undo('Saved. In effect: Difficulty.');
  await page
    .getByText('Previous values restored, except for what someone has changed since: Message of the day.')
    .waitFor();
  t.match(await stored(), { difficulty: 'easy', motd: 'Theirs again' });

  await changeElsewhere({ gamemode: 'creative' });
  await message.fill('Mine again');
  await save.click();
  await page.getByText('1 changed').waitFor({ state: 'detached' });
  t.match(
    await stored(),
    { motd: 'Mine again', gamemode: 'creative' },
    'changes to different properties do not conflict',
  );

  await field(page, 'Search properties').fill('whitelist');
  await page.getByLabel(/^Whitelist only/).waitFor();
  await message.waitFor({ state: 'detached' }); // the search hides the others

  await page.getByRole('radiogroup', { name: 'View' }).getByText('Raw').click();
  const raw = page.getByLabel(/^server\.properties/);
  const text = await raw.inputValue();
  t.match(text, /^rcon\.password=\*{8}$/m, 'secrets stay secret');
  await raw.fill(text.replace('motd=Mine again', 'motd=Raw'));
  await save.click();
  await page.getByText('1 changed').waitFor({ state: 'detached' });
  t.equal((await stored()).motd, 'Raw', 'a change in the text is stored');

  const context = { gamekeeper, stored, changeElsewhere, page, visit, save, message, raw };

  await t.test('only the final text is stored, not what was typed in between', (t) => onlyTheFinalText(t, context));

  await t.test('an edit of the text conflicts with a change by someone else, too', (t) => textConflicts(t, context));

  await t.test('a port of another server is a warning beside the field', () => portsOfOthers(context));

  await t.test('the whitelist of a running server is switched on at once', (t) => switchWhitelist(t, context));

  await t.test('the message of the day gets colours at the cursor, and shows what players will see', (t) =>
    colourMessage(t, context),
  );

  await t.test('a secret is masked, replaced as a whole, and unchanged unless the user types', (t) =>
    secretsAreMasked(t, context),
  );

  await t.test('game rules apply to the running game at once, and can be undone', (t) => gameRules(t, context));
});

async function portsOfOthers({ gamekeeper, page, visit }: Context): Promise<void> {
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Other', port: await freePort() });
  const [rcon, query] = [String(await freePort()), String(await freePort())];
  const { properties } = (
    await gamekeeper.api<Answer>('PUT', '/instances/other/properties', {
      properties: { 'rcon.port': rcon, 'enable-query': 'true', 'query.port': query },
    })
  ).body;
  await visit('/servers/demo/properties');
  const input = (property: string) => page.getByRole('textbox', { name: property });
  await input('server-port').fill(properties['server-port']!);
  await page.getByText('Other also uses this port. The two cannot run at the same time.').waitFor();
  await input('server-port').fill(rcon);
  await page.getByText('Other uses this port for RCON. The two cannot run at the same time.').waitFor();
  await input('query.port').fill(query);
  const warning = page.getByText('Other uses this port for Query. The two cannot run at the same time.');
  await page.getByRole('switch', { name: 'enable-query' }).check({ force: true });
  await warning.waitFor();
  await input('query.port').fill(String(Number(query) - 1));
  await warning.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Discard' }).click();
}

async function switchWhitelist(t: Test, { gamekeeper, stored, page, visit, save }: Context): Promise<void> {
  const join = async (name: string) =>
    (await gamekeeper.api('POST', '/instances/demo/commands', { command: `demo join ${name}` })).body;
  t.same(await join('Anna'), { output: 'Anna is now online' });
  await visit('/servers/demo/properties');
  await page.getByRole('switch', { name: /^Whitelist only/ }).check({ force: true });
  await save.click();
  await page.getByText('Saved and in effect.').waitFor();
  t.same(await join('Ben'), { output: 'Ben could not join' });
  t.equal((await stored())['white-list'], 'true', 'and stays on');
}

async function onlyTheFinalText(t: Test, { stored, page, save, message, raw }: Context): Promise<void> {
  const changed = (count: number) =>
    page
      .getByRole('status')
      .filter({ hasText: `${count} changed` })
      .waitFor();
  await raw.press('Control+End');
  await raw.pressSequentially('\nspawn=5');
  await changed(1);
  await raw.press('ArrowLeft');
  await raw.press('ArrowLeft');
  await raw.pressSequentially('-pr');
  await changed(1);
  await page.getByText('Form', { exact: true }).click();
  await field(page, 'Search properties').clear();
  await message.fill('Of the form');
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Raw').click();
  await changed(2);
  await raw.press('Control+End');
  for (const _letter of 'spawn-pr=5\n') await raw.press('Backspace');
  await changed(1);
  await raw.press('Control+End');
  await raw.pressSequentially('\nspawn-protection=5');
  await changed(2);
  await save.click();
  await save.waitFor({ state: 'detached' });
  const after = await stored();
  t.match(after, { motd: 'Of the form', 'spawn-protection': '5' });
  t.same(
    Object.keys(after).filter((key) => 'spawn-pr'.startsWith(key)),
    [],
    'no half-typed key',
  );
}

async function textConflicts(t: Test, { stored, changeElsewhere, page, save, raw }: Context): Promise<void> {
  await changeElsewhere({ gamemode: 'adventure' });
  await raw.press('Control+End');
  await raw.pressSequentially('\ngamemode=survival');
  await save.click();
  await page.getByRole('button', { name: 'Theirs: adventure' }).click();
  t.match(await raw.inputValue(), /^gamemode=adventure$/m, 'the text shows the chosen value');
  await page.getByText('1 changed').waitFor({ state: 'detached' });
  t.equal((await stored()).gamemode, 'adventure');
}

async function colourMessage(t: Test, { stored, page, visit, save, message }: Context): Promise<void> {
  await visit('/servers/demo/properties');
  await message.fill('Hi all');
  await message.press('Home');
  for (const _letter of 'Hi ') await message.press('ArrowRight');
  await page.getByRole('button', { name: 'Insert colour §a' }).click();
  await hasFocus(message);
  await page.getByRole('button', { name: 'Bold', exact: true }).click();
  const shown = page.getByRole('tabpanel').locator('.motd').getByText('all', { exact: true });
  await shown.waitFor();
  t.equal(await shown.getAttribute('style'), 'color: rgb(85, 255, 85); font-weight: 700;');
  const entry = page.getByRole('figure').filter({ hasText: "In the game's server list" });
  await entry.getByText('Demo', { exact: true }).waitFor();
  await entry.getByText(/^\d+(\/\d+)?$/).waitFor();
  const windows = { desktop: page.viewportSize()!, phone: { width: 390, height: 844 } };
  await page.setViewportSize(windows.phone);
  t.match(await entry.locator('.server-icon').boundingBox(), { width: 64, height: 64 });
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await page.setViewportSize(windows.desktop);
  await save.click();
  await save.waitFor({ state: 'detached' });
  t.equal((await stored()).motd, 'Hi §a§lall');
}

async function secretsAreMasked(t: Test, { gamekeeper, changeElsewhere, page, visit, save }: Context): Promise<void> {
  const secret = 'a1B2'.repeat(10);
  await changeElsewhere({ 'management-server-secret': secret, 'site-api-key': 'old' });
  await visit('/servers/demo/properties');
  for (const [label, typed] of [
    [/^Management secret/, 'Z9'.repeat(20)],
    ['site-api-key', 'new key'],
  ] as const) {
    const input = page.getByLabel(label);
    await input.click();
    t.equal(await save.count(), 0, 'a click changes nothing');
    await page.keyboard.press('Backspace');
    await page.getByText('1 changed').waitFor();
    t.equal(await input.inputValue(), '');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    t.equal(await input.inputValue(), '********', 'discarding restores the mask');
    await input.click();
    await page.keyboard.type(typed);
    t.equal(await input.inputValue(), typed, 'the focus stays, and no part of the mask is left');
    t.equal(await input.getAttribute('type'), 'password');
    await save.click();
    await save.waitFor({ state: 'detached' });
  }
  const file = await readFile(join(gamekeeper.home, 'instances/demo/server.properties'), 'utf8');
  t.match(file, `management-server-secret=${'Z9'.repeat(20)}`);
  t.match(file, 'site-api-key=new key');
}

async function gameRules(t: Test, { gamekeeper, page, visit }: Context): Promise<void> {
  const { api } = gamekeeper;
  const ruleIs = (name: string, value: string) =>
    until(`${name} is ${value}`, async () => {
      const command = `gamerule ${name}`;
      const { body } = await api<{ output: string }>('POST', '/instances/demo/commands', { command });
      return body.output.endsWith(`set to: ${value}`);
    });
  await visit('/servers/demo/properties');
  const section = page.getByRole('region', { name: 'Game rules' });
  const keepInventory = section.getByRole('switch', { name: 'keepInventory' });
  await keepInventory.click({ force: true });
  await page.getByText('Keep inventory after death: on').waitFor();
  await ruleIs('keepInventory', 'true');
  await page.getByRole('button', { name: 'Undo' }).click();
  await ruleIs('keepInventory', 'false');
  // While a change is on its way, the switch takes no other.
  await until('the switch is off', async () => (await keepInventory.getAttribute('aria-busy')) === 'false');
  t.notOk(await keepInventory.isChecked());

  await keepInventory.click({ force: true });
  await ruleIs('keepInventory', 'true');
  await api('POST', '/instances/demo/commands', { command: 'gamerule keepInventory false' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Someone has changed this game rule since.').waitFor();
  await until('the switch is off', async () => !(await keepInventory.isChecked()));

  const tickSpeed = section.getByRole('textbox', { name: 'randomTickSpeed' });
  await tickSpeed.fill('1001');
  await tickSpeed.press('Enter');
  t.equal(await tickSpeed.inputValue(), '3', 'the input takes no number above the maximum');
  await page.route('**/gamerules', async (route) => {
    const loses = route.request().method() === 'PATCH';
    if (loses) await route.fetch();
    await (loses ? route.abort() : route.continue());
  });
  await tickSpeed.fill('5');
  await tickSpeed.press('Enter');
  await section.getByRole('alert').waitFor();
  await until('a rule that is set although the answer is lost', async () => (await tickSpeed.inputValue()) === '5');
  await page.unroute('**/gamerules');
  await tickSpeed.fill('7');
  await tickSpeed.press('Tab');
  await page.getByText('Random tick speed: 7').waitFor();
  await ruleIs('randomTickSpeed', '7');
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');

  await api('POST', '/instances/demo/stop');
  await section.getByText('Game rules are part of the world.').waitFor();
  await section.getByRole('button', { name: 'Start server' }).click();
  await tickSpeed.waitFor();
  t.equal(await tickSpeed.inputValue(), '7', 'the world keeps it');
}
