import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('the head of a server stays where it is, and asks before it disconnects players', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  // The daemon knows the panel's port only if it is set.
  const gamekeeper = await startGamekeeper(t, { env: { GAMEKEEPER_PORT: String(await freePort()) } });
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  const setMotd = (motd: string) => gamekeeper.api('PUT', '/instances/demo/properties', { properties: { motd } });
  await setMotd('§aWelcome\n§lto the game');
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await setMotd('Shown after a restart');
  const demo = (await gamekeeper.api<{ port: number }>('GET', '/instances/demo')).body;
  const otherPort = await freePort();
  await gamekeeper.api('POST', '/instances', {
    software: 'custom',
    name: 'Demo',
    port: otherPort,
    launch: { command: ['sh', '-c', 'cat output.txt; exit 3'] },
    crashPolicy: { restart: 'never', maxRestarts: 0, windowSeconds: 600 },
  });
  writeOutput(gamekeeper.home);
  await gamekeeper.api('POST', '/instances/demo/commands', { command: 'demo join Steve' });
  await until('Steve is online', async () => {
    const { body } = await gamekeeper.api<{ playersOnline?: number }>('GET', '/instances/demo');
    return body.playersOnline === 1;
  });
  const heights = { desktop: [] as number[], phone: [] as number[] };

  for (const screen of ['desktop', 'phone'] as const) {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const window = await openWindow(browser, gamekeeper, { screen, scheme: 'dark' }, { permissions });
    const { page, follow, complaints } = window;
    const phase = page.getByTestId('phase');
    const measure = async () => heights[screen].push(await heightOfHead(page));
    await signInAs(window, gamekeeper);
    await follow('/servers/demo/console');
    await phase.getByText('Running').waitFor();
    const motd = page.locator('.server-header .motd');
    if (screen === 'desktop') {
      const welcome = motd.getByText('Welcome', { exact: true });
      await welcome.waitFor();
      t.match(await welcome.getAttribute('style'), 'color: rgb(85, 255, 85)');
      const second = motd.getByText('to the game', { exact: true });
      t.equal((await second.boundingBox())?.y, (await welcome.boundingBox())?.y, 'both lines are one');
    } else t.equal(await page.locator('.server-motd').count(), 0, 'a phone has no room for the message');
    await measure();
    t.notOk(await scrollsSideways(page), `fits on a ${screen}`);

    await t.test(`servers with the same name have their ids, on a ${screen}`, async (t) => {
      await page.getByRole('heading', { level: 1, name: 'Demo (demo)' }).waitFor();
      await follow('/');
      await page.getByRole('article', { name: 'Demo (demo-2)' }).getByRole('link', { name: 'Demo (demo-2)' }).waitFor();
      t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
      await follow('/host/audit');
      await page.getByRole('combobox', { name: 'Server' }).click();
      for (const name of ['Demo (demo)', 'Demo (demo-2)']) await page.getByRole('option', { name }).waitFor();
      await page.keyboard.press('Escape');
      await follow('/servers/demo-2/settings');
      await page.getByText('Another server has this name too.').waitFor();
      await follow('/servers/demo/settings');
      await field(page, 'Name').fill('Mine');
      await page.getByText('Another server has this name too.').waitFor({ state: 'detached' });
      const portClash = page.getByText('Demo also uses this port. The two cannot run at the same time.');
      await field(page, 'Port').fill(String(otherPort));
      await portClash.waitFor();
      await field(page, 'Port').fill(new URL(gamekeeper.addresses().panel).port);
      await portClash.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(/Gamekeeper itself uses \d+\. Choose another port\./).waitFor();
      await field(page, 'Memory').fill('900');
      await field(page, 'Port').fill(String(demo.port));
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(/This computer has only [\d.]+ GB/).waitFor();
      t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'errors at fields are easy to read');
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await follow('/new');
      await page.getByRole('radio', { name: /^Demo/ }).click();
      await field(page, 'Port').fill(String(demo.port));
      await portClash.waitFor();
    });

    await t.test(`a crash does not move the tabs and leads to its report, on a ${screen}`, async (t) => {
      await follow('/servers/demo-2/console');
      await page.getByRole('heading', { level: 1, name: 'Demo (demo-2)' }).waitFor();
      await measure();
      await gamekeeper.api('POST', '/instances/demo-2/start');
      const report = page.getByRole('alert').getByRole('link', { name: 'Report' });
      await report.waitFor();
      t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
      await measure();
      await report.click();
      await readReports(t, page);
    });
    await t.test(`the icon is chosen, cropped, saved and removed on a ${screen}`, async (t) => {
      await follow('/servers/demo/files');
      await changeIcon(t, page, { home: gamekeeper.home, type: screen === 'desktop' ? 'image/jpeg' : 'image/webp' });
    });
    t.same(
      complaints.filter((complaint) => !/41\d|40\d|50\d/.test(complaint)),
      [],
    );
    if (screen === 'desktop') await page.context().close();
    else await t.test('stopping asks for the players, and its message covers nothing', () => stop(page));
  }
  for (const [screen, all] of Object.entries(heights))
    t.equal(new Set(all).size, 1, `the head on a ${screen} is as high in every state: ${all.join(', ')}`);

  async function stop(page: Page): Promise<void> {
    await page.evaluate(`history.pushState(null, '', '/ui/servers/demo/console')`);
    await page.getByTestId('phase').getByText('Running').waitFor();
    await page.getByRole('button', { name: 'Copy displayed log' }).click();
    const toast = page.locator('.mantine-Notification-root').first();
    await toast.waitFor();
    // At once: the message leaves by itself.
    const commandLine = page.getByLabel('Command', { exact: true });
    const [shown, command] = await Promise.all([toast.boundingBox(), commandLine.boundingBox()]);
    t.ok(shown!.y >= command!.y + command!.height, 'the message is below the command line');
    t.ok(shown!.y + shown!.height <= 844, 'and within the window');
    await page.getByRole('button', { name: 'Stop' }).click();
    const question = page.getByRole('dialog', { name: 'Stop Demo (demo)?' });
    await question.getByText('1 player is online and will be disconnected.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    t.equal((await gamekeeper.api<{ status: string }>('GET', '/instances/demo')).body.status, 'running');
    await page.getByRole('button', { name: 'Stop' }).click();
    await question.getByRole('button', { name: 'Stop' }).click();
    await page.getByTestId('phase').getByText('Stopped').waitFor();
    heights.phone.push(await heightOfHead(page));
  }
});

t.test('a running server is shown with what it runs with until it is restarted', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const { api } = gamekeeper;
  const [port, other] = [await freePort(), await freePort()];
  await api('POST', '/instances', { software: 'demo', name: 'Demo', port, memoryMb: 512 });
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await api('POST', '/instances/demo/commands', { command: 'demo join Steve' });
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, follow } = window;
  const head = page.locator('.server-header');
  const bar = page.getByTestId('pending-restart');
  await signInAs(window, gamekeeper);
  await follow('/servers/demo/settings');
  await head.getByText('1 of 20').waitFor();
  const height = await heightOfHead(page);
  await field(page, 'Port').fill(String(other));
  await field(page, 'Memory').fill('0.75');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await bar.getByText('Restart needed: Port and Memory.').waitFor();
  await head.getByText(new RegExp(`:${port}$`)).waitFor();
  await head.getByText(`→ ${other}`).waitFor();
  await head.getByText(/ of 512 MB/).waitFor();
  await head.getByText('After restart: 768 MB').waitFor({ state: 'attached' });
  await api('PUT', '/instances/demo/properties', { properties: { 'view-distance': '12' } });
  await bar.getByText('Restart needed: Port, Memory, and View distance.').waitFor();
  t.equal(await heightOfHead(page), height, 'the head stays as high');
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');

  await t.test('on a phone the bar fits', async (t) => {
    const phone = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
    await signInAs(phone, gamekeeper);
    await phone.follow('/servers/demo/console');
    await phone.page.getByTestId('pending-restart').getByRole('button', { name: 'When nobody is online' }).waitFor();
    t.notOk(await scrollsSideways(phone.page));
    t.same(await accessibilityFaults(phone.page, ['light', 'dark']), [], 'axe finds nothing');
    await phone.page.context().close();
  });
  await bar.getByRole('button', { name: 'When nobody is online' }).click();
  await bar.getByText('The server restarts when nobody is online.').waitFor();
  await bar.getByRole('button', { name: 'Cancel' }).click();
  await bar.getByRole('button', { name: 'When nobody is online' }).waitFor();
  await bar.getByRole('button', { name: 'Restart now' }).click();
  await page.getByRole('dialog', { name: 'Restart Demo?' }).getByRole('button', { name: 'Restart' }).click();
  await head.getByText(new RegExp(`:${other}$`)).waitFor();
  await page.getByTestId('phase').getByText('Running').waitFor();
  await head.getByText(/ of 768 MB/).waitFor();
  t.equal(await bar.count(), 0, 'nothing waits any more');
  t.equal(await head.getByText('→').count(), 0);
});

const LAST_LINE = '[main/INFO]: Stopping';

/** What the server that crashes prints: an exception in the middle, above and below more than fits into the report's box. */
function writeOutput(home: string): void {
  const lines = [
    ...Array.from({ length: 10 }, (_, index) => `[main/INFO]: Loading part ${index}`),
    'java.lang.IllegalStateException: The world is locked',
    ...Array.from({ length: 25 }, (_, index) => `\tat game.Part${index}.load(Part${index}.java:1)`),
    LAST_LINE,
  ];
  writeFileSync(path.join(home, 'instances/demo-2/output.txt'), `${lines.join('\n')}\n`);
}

/** The newest report is open at its exception, has nothing of the crash before, and can be copied. */
async function readReports(t: Test, page: Page): Promise<void> {
  const reports = page.getByRole('main').getByRole('listitem');
  const newest = reports.first();
  const exception = newest.locator('[data-exception]');
  await exception.getByText('The world is locked').waitFor();
  await until('the exception is in sight', async () => {
    const [line, box] = await Promise.all([exception.boundingBox(), newest.locator('.crash-output').boundingBox()]);
    return line !== null && box !== null && line.y >= box.y && line.y + line.height < box.y + box.height / 2;
  });
  t.equal(((await newest.textContent()) ?? '').split(LAST_LINE).length, 2, 'each report has the output of its own run');
  for (const older of (await reports.all()).slice(1))
    t.notOk(await older.locator('.crash-output').isVisible(), 'earlier reports are closed');
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing in reports');
  t.notOk(await scrollsSideways(page), 'reports fit');
  await newest.getByRole('button', { name: 'Copy report' }).click();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  t.match(copied, /exit code 3\n.*with exit code 3.*\n\n.*Loading part 0/s);
  t.match(copied, 'java.lang.IllegalStateException: The world is locked\n\tat game.Part0.load');
}

async function changeIcon(t: Test, page: Page, { home, type }: { home: string; type: string }): Promise<void> {
  const file = path.join(home, 'instances/demo/server-icon.png');
  const dialog = page.getByRole('dialog', { name: 'Icon of Demo' });
  const choose = async (button: string, name: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: button }).click(),
    ]);
    await chooser.setFiles({ name, mimeType: 'image/png', buffer });
  };
  const open = () => page.getByRole('button', { name: 'Change the icon' }).click();
  const shows = (colour: string) =>
    until(`the preview is ${colour}`, async () => (await page.evaluate<string>(PREVIEW)) === colour);

  await open();
  await choose('Choose an image', 'plugin.png', Buffer.from('PK no image'));
  await dialog.getByText('plugin.png is not a PNG, JPEG, WebP or GIF image.').waitFor();
  await choose('Choose an image', 'huge.png', blankPng(10_000));
  await dialog.getByText('huge.png is too large for an icon.').waitFor();
  await choose('Choose an image', 'half.png', blankPng(100).subarray(0, 30));
  await dialog.getByText('half.png cannot be shown: the image is damaged.').waitFor();
  t.same(await accessibilityFaults(page, ['dark']), [], 'axe finds nothing without an image');
  const stripes = await page.evaluate<string>(`(${stripesAs})(${JSON.stringify(type)})`);
  await choose('Choose an image', 'stripes', Buffer.from(stripes, 'base64'));
  await shows('green');
  await page.getByRole('application', { name: /Visible part/ }).focus();
  for (let press = 0; press < 30; press++) await page.keyboard.press('ArrowRight');
  await shows('red');
  const { x, y, width, height } = (await page.getByRole('application', { name: /Visible part/ }).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 400, y + height / 2, { steps: 5 });
  await page.mouse.up();
  await shows('blue');
  await dialog.getByRole('slider', { name: 'Zoom' }).focus();
  await page.keyboard.press('ArrowRight');
  await dialog.getByRole('slider', { name: 'Zoom' }).and(page.locator('[aria-valuenow="1.1"]')).waitFor();
  t.notOk(await scrollsSideways(page), 'it fits');
  t.same(await accessibilityFaults(page, ['dark']), [], 'axe finds nothing while cropping');
  const writtenByOther = Buffer.from('of another user');
  writeFileSync(file, writtenByOther);
  await dialog.getByRole('button', { name: 'Save the icon' }).click();
  await dialog.getByRole('alert').waitFor();
  t.same(readFileSync(file), writtenByOther, 'nothing is overwritten unseen');
  await dialog.getByRole('button', { name: 'Save the icon' }).click();
  await page.getByText('Icon saved. Players see it after the next start.').waitFor();
  const icon = readFileSync(file);
  t.same([icon.readUInt32BE(16), icon.readUInt32BE(20)], [64, 64], 'a PNG of 64 by 64 pixels');
  await page.locator(`.editable-icon img[src="data:image/png;base64,${icon.toString('base64')}"]`).waitFor();

  await open();
  await dialog.getByRole('button', { name: 'Remove the icon' }).click();
  await until('the icon is gone', () => !existsSync(file));
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('the icon is back', () => existsSync(file) && readFileSync(file).equals(icon));
  await open();
  await dialog.getByRole('button', { name: 'Remove the icon' }).click();
  const message = page.locator('.mantine-Notification-root').filter({ hasText: 'Moved the icon to the trash' });
  await message.locator('.mantine-Notification-closeButton').click();
  await message.waitFor({ state: 'detached' });
  t.notOk(existsSync(file), 'the icon is gone');
}

/** Returns what the middle of the preview shows. */
const PREVIEW = `(() => {
  const canvas = document.querySelector('canvas.icon-preview');
  const [red = 0, green = 0, blue = 0] = canvas?.getContext('2d').getImageData(32, 32, 1, 1).data ?? [];
  return red > 200 ? 'red' : green > 200 ? 'green' : blue > 200 ? 'blue' : 'none';
})()`;

/** For the browser: an image of three squares, red, green and blue, in base64. */
const stripesAs = `async (type) => {
  const canvas = new OffscreenCanvas(300, 100);
  const context = canvas.getContext('2d');
  for (const [index, colour] of ['#f00', '#0f0', '#00f'].entries()) {
    context.fillStyle = colour;
    context.fillRect(index * 100, 0, 100, 100);
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}`;

/** Returns a black PNG with one bit for each pixel. */
function blankPng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(typed));
    return Buffer.concat([size, typed, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = Buffer.alloc(side * (1 + Math.ceil(side / 8)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function heightOfHead(page: Page): Promise<number> {
  return page.evaluate<number>(`document.querySelector('.server-header').getBoundingClientRect().height`);
}
