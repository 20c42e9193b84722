/** `gamekeeper kind test` with real programs, without a running Gamekeeper. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const COMMAND_LINE = path.join(import.meta.dirname, '../../dist/daemon/cli/main.js');

/** A folder with the file of a kind, where the test's own Gamekeeper has its data directory as well. */
function someKind(t: Test, kind: object) {
  const folder = temporaryFolder(t);
  const temporary = path.join(folder, 't');
  mkdirSync(temporary);
  const file = path.join(folder, 'kind.json');
  writeFileSync(file, JSON.stringify(kind));
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, [COMMAND_LINE, 'kind', 'test', file, ...args], {
      env: { ...process.env, TMPDIR: temporary, GAMEKEEPER_HOME: path.join(folder, 'home') },
    });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
      ([stdout, stderr, [code]]) => ({ code: code as number | null, stdout, stderr }),
    );
    return { child, ended };
  };
  const left = () => [
    ...readdirSync(folder).filter((name) => name === 'home'),
    ...readdirSync(temporary),
    ...processesBelow(temporary),
  ];
  return { folder, temporary, run, left };
}

const processesBelow = (folder: string) => processesOf(folder).map(({ command }) => command);

const SHELL = { type: 'system', program: ['sh'], env: {}, missing: 'Install a shell.' };

/** Each line: a result and the check that it is about. */
const resultsIn = (stdout: string) =>
  Array.from(stdout.matchAll(/^(ok|FAILED|skipped) +(\w+)/gm), ([, result, check]) => `${check} ${result}`);

t.test('OpenArena does what a kind that extends it says', async (t) => {
  if (!requireProgram(t, 'openarena-server', 'openarena-server')) return;
  const { run, left } = someKind(t, { kind: 'my-arena', extends: 'openarena', title: 'My arena' });
  const { code, stdout, stderr } = await run().ended;
  t.equal(code, 0, stdout + stderr);
  t.same(resultsIn(stdout), ['Starts ok', 'Ready ok', 'Port ok', 'Players ok', 'Saving skipped', 'Stops ok']);
  t.match(stdout, /it listens on its game port, UDP \d+\..*it answers the player query quake3: 0 online\./s);
  t.match(stdout, /"quit" ended it in .*\n\nA server of the kind "my-arena" does what the kind says\.\n$/s);
  t.same(left(), [], 'nothing is left');
});

t.test('OpenTTD confirms that it has saved', async (t) => {
  if (!requireProgram(t, 'openttd', 'openttd openttd-opengfx')) return;
  const { run, left } = someKind(t, { kind: 'my-trains', extends: 'openttd', title: 'My trains' });
  const { code, stdout, stderr } = await run().ended;
  t.equal(code, 0, stdout + stderr);
  t.same(resultsIn(stdout), ['Starts ok', 'Ready ok', 'Port ok', 'Port ok', 'Saving ok', 'Stops ok']);
  t.match(stdout, /it confirmed "save autosave\/exit" during a backup/);
  t.same(left(), [], 'nothing is left');
});

t.test('each thing that a program does not do is reported', async (t) => {
  const script = 'echo "map $MAP"; trap "" INT; while :; do sleep 0.1; done';
  const { run, left } = someKind(t, {
    kind: 'stubborn',
    title: 'Stubborn',
    defaultVersion: '1',
    launch: { ...SHELL, args: ['-c', script], env: { MAP: '{map}' } },
    gamePort: { first: 27_015, transport: 'udp' },
    variables: [{ name: 'map', type: 'text', default: 'dust', editableBy: 'operator' }],
    readyPattern: '^never$',
    stop: { command: 'quit', graceSeconds: 1 },
  });
  const { code, stdout } = await run('--within', '1s', '--set', 'map=castle', '--json').ended;
  t.equal(code, 1);
  t.match(JSON.parse(stdout), {
    ok: false,
    kind: 'stubborn',
    checks: [
      { check: 'Starts', result: 'ok' },
      { check: 'Ready', result: 'failed', says: /^no line matched readyPattern "\^never\$" within 1/ },
      { check: 'Port', result: 'failed', says: /does not listen on its game port, UDP/ },
      { check: 'Saving', result: 'skipped' },
      { check: 'Stops', result: 'failed', says: /^"quit" did not end it/ },
    ],
    console: /map castle/,
  });
  t.same(left(), [], 'nothing is left');
});

t.test('a program that is missing, or ends at once', async (t) => {
  const kind = { kind: 'short', title: 'Short', defaultVersion: '1', gamePort: { first: 27_015, transport: 'udp' } };
  const missing = {
    ...SHELL,
    program: ['no-such-game-server'],
    args: [],
    missing: 'Install the package no-such-game.',
  };
  const absent = await someKind(t, { ...kind, launch: missing }).run().ended;
  t.match(absent, { code: 1, stdout: /^FAILED +Starts +.*Install the package no-such-game\..*does not do/s });
  const short = someKind(t, { ...kind, launch: { ...SHELL, args: ['-c', 'echo no licence; exit 3'] } });
  const { code, stdout } = await short.run().ended;
  t.equal(code, 1);
  t.same(resultsIn(stdout), ['Starts FAILED']);
  t.match(stdout, /it ended before it was ready: .*\| no licence/s);
  t.same(short.left(), [], 'nothing is left');
});

t.test('a program in the files of the server', async (t) => {
  const { run, folder, left } = someKind(t, {
    kind: 'own-files',
    title: 'Own files',
    defaultVersion: '1',
    gamePort: { first: 27_015, transport: 'udp' },
    launch: { type: 'installed', program: { [process.platform]: 'bin/server' }, args: [], env: {} },
    readyPattern: '^up$',
    stop: { signal: 'INT', graceSeconds: 20 },
  });
  const script = `#!${process.execPath}\nconsole.log("up"); setInterval(() => {}, 1000)`;
  mkdirSync(path.join(folder, 'files/bin'), { recursive: true });
  writeFileSync(path.join(folder, 'files/bin/server'), script);
  chmodSync(path.join(folder, 'files/bin/server'), 0o755);
  const { code, stdout } = await run('--directory', path.join(folder, 'files')).ended;
  t.same(resultsIn(stdout), ['Starts ok', 'Ready ok', 'Port FAILED', 'Saving skipped', 'Stops ok'], 'without its port');
  t.equal(code, 1);
  t.match(stdout, /SIGINT ended it/);
  t.same(readdirSync(path.join(folder, 'files')), ['bin'], 'a copy was used');
  t.same(left(), [], 'nothing is left');
});

t.test('an interrupted test ends its server, too', async (t) => {
  const { run, temporary, left } = someKind(t, {
    kind: 'waiting',
    title: 'Waiting',
    defaultVersion: '1',
    gamePort: { first: 27_015, transport: 'udp' },
    launch: { ...SHELL, args: ['-c', 'while :; do sleep 0.1; done'] },
    readyPattern: '^never$',
  });
  const { child, ended } = run();
  await until('the server runs', () => processesBelow(temporary).some((command) => command.includes('while :')), {
    deadlineMs: 60_000,
  });
  child.kill('SIGINT');
  t.match(await ended, { code: 1, stderr: /Ending the test….*The test was interrupted/s });
  t.same(left(), [], 'nothing is left');
});

t.test('a kind that is not valid is not started', async (t) => {
  const { run, left } = someKind(t, { kind: 'paper', title: 'Mine', extends: 'vanilla' });
  t.match(await run().ended, { code: 1, stderr: /The kind is not valid: .*ships with Gamekeeper/ });
  t.same(left(), []);
});
