import t from 'tap';
import { field, openWindow, signInAs, startBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { startGamekeeper } from '../support/gamekeeper.ts';

type Answer = { properties: Record<string, string> };

t.test('properties: a form with words, a raw view, and a choice where two people change the same', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const stored = async () => (await gamekeeper.api<Answer>('GET', '/instances/demo/properties')).body.properties;
  const byOthers = (properties: object) => gamekeeper.api('PUT', '/instances/demo/properties', { properties });

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
  t.match(asked, [/not saved yet/], 'what was typed is not lost by a click');

  await byOthers({ motd: 'Theirs', pvp: 'false' });
  await save.click();
  const conflict = page.getByRole('alert').filter({ hasText: 'motd' });
  await conflict.getByRole('button', { name: 'Theirs: Theirs' }).waitFor();
  t.equal((await stored()).motd, 'Theirs', 'nothing is overwritten unseen');
  await conflict.getByRole('button', { name: 'Mine: Mine' }).click();
  await save.click();
  await page.getByText('It takes effect with the next start').waitFor();
  t.match(await stored(), { motd: 'Mine', pvp: 'false' }, 'what was chosen, and what others changed besides');

  await byOthers({ gamemode: 'creative' });
  await message.fill('Mine again');
  await save.click();
  await page.getByText('1 changed').waitFor({ state: 'detached' });
  t.match(await stored(), { motd: 'Mine again', gamemode: 'creative' }, 'changes to different properties do not meet');

  await field(page, 'Search the properties').fill('whitelist');
  await page.getByLabel(/^Whitelist only/).waitFor();
  t.equal(await message.count(), 0, 'the search leaves out the others');

  await page.getByText('Raw', { exact: true }).click();
  const raw = page.getByLabel(/^server\.properties/);
  const text = await raw.inputValue();
  t.match(text, /^rcon\.password=\*{8}$/m, 'secrets stay secret');
  await raw.fill(text.replace('motd=Mine again', 'motd=Raw'));
  await save.click();
  await page.getByText('1 changed').waitFor({ state: 'detached' });
  t.equal((await stored()).motd, 'Raw', 'what was changed as text is stored');
});
