import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { homeAt } from '../../../shared/node/files/home.ts';
import { identifyProcess } from '../../../shared/node/processes/process-identity.ts';
import { readLivingRecord } from '../../../shared/node/processes/process-record.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import {
  killSupervisor,
  killTerminal,
  spawnSupervisor,
  startGame,
  supervisorBoot,
  supervisorClient,
  supervisorCommandLine,
} from '../../support/processes/spawned-supervisor.ts';

/** A zombie counts as gone. */
async function isAlive(pid: number): Promise<boolean> {
  return (await identifyProcess(pid)) !== undefined;
}

t.test('a supervisor writes its record, answers on its socket and keeps its environment from the game', async (t) => {
  const { child, home, client } = await spawnSupervisor(t);
  t.match(await readLivingRecord(home.supervisorRecord('test')), {
    pid: child.pid,
    socket: home.supervisorSocket('test'),
  });
  t.match(await client.hello(), { name: 'supervisor:test', pid: child.pid });
  const pid = await startGame({ client });
  t.notMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /GAMEKEEPER_|NODE_/);
  t.equal(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[5], String(pid), 'the game leads its own session');
});

t.test('SIGHUP and SIGINT are ignored; SIGTERM stops the game and removes every file of the process', async (t) => {
  const { child, home, client } = await spawnSupervisor(t);
  const pid = await startGame({ client });
  child.kill('SIGHUP');
  child.kill('SIGINT');
  t.match(await client.call.status(), { phase: 'running' });
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  t.strictSame(await exited, [0, null]);
  t.notOk(await isAlive(pid));
  t.notOk(existsSync(home.supervisorRecord('test')));
  t.notOk(existsSync(home.supervisorSocket('test')));
  t.notOk(existsSync(home.gameRecord('test')));
});

t.test('the game and its supervisor survive a kill of the daemon', async (t) => {
  const home = homeAt(temporaryFolder(t));
  const daemon = spawn(
    process.execPath,
    ['-e', FAKE_DAEMON, JSON.stringify({ args: supervisorCommandLine(home), boot: await supervisorBoot(home) })],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(daemon.stdout, 'data');
  const client = supervisorClient(t, home);
  t.teardown(() => client.call.retire(undefined, { timeoutMs: 0 }));
  const pid = await startGame({ client });
  const gone = once(daemon, 'exit');
  daemon.kill('SIGKILL');
  await gone;
  const later = supervisorClient(t, home);
  t.match(await later.call.status(), { phase: 'running', pid });
  t.equal(await later.call.command('hello'), 'got hello');
});

t.test('retire returns once the game has stopped, then the process exits', async (t) => {
  const { child, client } = await spawnSupervisor(t);
  const pid = await startGame({ client });
  const exited = once(child, 'exit');
  await client.call.retire(undefined, { timeoutMs: 0 });
  t.notOk(await isAlive(pid));
  t.strictSame(await exited, [0, null]);
});

t.test(
  'after a kill of supervisor and terminal, the next supervisor ends the orphaned game and can start it again',
  async (t) => {
    const first = await spawnSupervisor(t);
    const { home } = first;
    const old = await startGame(first);
    await killSupervisor(first);
    killTerminal(home);
    t.ok(await isAlive(old), 'the game ignores the loss of its terminal');
    const next = await spawnSupervisor(t, { home });
    const pid = await startGame(next);
    t.not(pid, old);
    t.notOk(await isAlive(old));
    t.match(await next.client.call.logs({ lines: 100 }), [/up/]);
  },
);

t.test('a supervisor started by hand prints the command to use instead', async (t) => {
  const child = spawn(process.execPath, supervisorCommandLine(homeAt(temporaryFolder(t))), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'exit');
  t.equal(code, 2);
  t.match(Buffer.concat(chunks).toString(), /gamekeeper start/);
});

const FAKE_DAEMON = `
  const { args, boot } = JSON.parse(process.argv[1]);
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  child.send(boot);
  child.on('message', ({ type }) => type === 'ready' && console.log('ready'));
`;
