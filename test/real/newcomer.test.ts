/** From the first run to a restored backup, with a third-party server and a real game client. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import t, { type Test } from 'tap';
import { field, startBrowser, type View } from '../support/browser/browser.ts';
import { newcomer, PATIENCE } from '../support/browser/newcomer.ts';
import { freePort } from '../support/machine/free-port.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { joinPlayer, type Player } from './player.ts';

t.test('a new user imports a server, plays on it, and restores a lost world', async (t) => {
  const browser = await startBrowser(t);
  if (!browser || !requireProgram(t, 'unzip', 'unzip')) return;
  // test/browser/newcomer.test.ts covers the other two combinations.
  const views: View[] = [
    { screen: 'desktop', scheme: 'light' },
    { screen: 'phone', scheme: 'dark' },
  ];
  for (const view of views)
    await t.test(`on a ${view.screen}, in the ${view.scheme} scheme`, (t) => walk(t, browser, view));
});

async function walk(t: Test, browser: Browser, view: View): Promise<void> {
  const port = await freePort();
  // Created first, because teardown runs in reverse order.
  const folder = serverFolder(t, port);
  const gamekeeper = await startGamekeeper(t, { env: { GAMEKEEPER_ADMIN_PASSWORD: '' } });
  const person = await newcomer(t, browser, gamekeeper, view);
  const { page, phase, button, tab, looksFine } = person;

  await person.firstRun();
  await page.getByText('Import existing').click();
  await field(page, 'Or a folder, ZIP or modpack on the host').fill(folder);
  await button('Inspect').click();
  await page.getByRole('cell', { name: String(port) }).waitFor();
  await field(page, 'Name').fill('Squid');
  await looksFine('what was found', { withKeys: true });
  await button('Import').click();
  await button('Start').click();
  await phase.getByText('Running').waitFor(PATIENCE);
  const console = page.locator('.xterm-rows');
  await console.getByText('Server listening').first().waitFor(PATIENCE);

  const player = await join(t, port);
  await console.getByText('Anna').first().waitFor(PATIENCE);
  await looksFine('somebody joined');
  await tab('Players');
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Anna', exact: true }) });
  await row.waitFor(PATIENCE);
  t.ok(await row.locator('svg[viewBox="0 0 8 8"]').isVisible(), "the player's head is shown");
  await looksFine('a real player');

  await person.backUp();
  await button('Stop').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await phase.getByText('Stopped').waitFor(PATIENCE);
  await player.left;
  const world = path.join(folder, 'world');
  const saved = worldIn(t, gamekeeper);

  // The owner deletes and overwrites files of the world.
  rmSync(path.join(world, 'region'), { recursive: true });
  writeFileSync(path.join(world, 'level.dat'), 'oh no');
  await person.restore('Squid');
  t.same(hashesOf(world), saved, 'the world is restored byte by byte');

  await button('Start').click();
  await phase.getByText('Running').waitFor(PATIENCE);
  await person.seeAll();
  await until('a player can join again', () =>
    join(t, port).then(
      () => true,
      () => false,
    ),
  );
  await page.getByRole('article', { name: 'Squid' }).getByText('Players 1/10').waitFor(PATIENCE);
  await looksFine('all servers');
  t.same(person.complaints, [], 'no errors in the browser console, no requests to other hosts');
}

/** A typical server folder: settings and a start script. */
function serverFolder(t: Test, port: number): string {
  const folder = temporaryFolder(t);
  const program = path.join(import.meta.dirname, 'flying-squid.js');
  writeFileSync(path.join(folder, 'server.properties'), `server-port=${port}\n`);
  const script = `#!/bin/sh\n# A Minecraft server in JavaScript.\nexec '${process.execPath}' '${program}' --port ${port}\n`;
  writeFileSync(path.join(folder, 'start.sh'), script, { mode: 0o755 });
  return folder;
}

/** Unpacks the only backup with `unzip` and returns the hashes of its world. */
function worldIn(t: Test, { home }: Gamekeeper): Record<string, string> {
  const [archive = ''] = globSync(path.join(home, 'backups/squid/*.zip'));
  const unpacked = temporaryFolder(t);
  execFileSync('unzip', ['-q', archive, 'world/*', '-d', unpacked]);
  const hashes = hashesOf(path.join(unpacked, 'world'));
  t.ok(hashes['level.dat'], 'the backup has a world');
  return hashes;
}

/** Returns the SHA-256 of every file in a folder by its path. */
function hashesOf(folder: string): Record<string, string> {
  const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const hashes = files.map(({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return [path.relative(folder, file), createHash('sha256').update(readFileSync(file)).digest('hex')] as const;
  });
  return Object.fromEntries(hashes.sort(([one], [other]) => one.localeCompare(other)));
}

async function join(t: Test, port: number): Promise<Player> {
  const player = joinPlayer({ port, name: 'Anna' });
  t.teardown(() => player.quit());
  await player.whenSpawned;
  return player;
}
