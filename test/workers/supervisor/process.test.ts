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
  spawnSupervisor,
  startGame,
  supervisorBoot,
  supervisorClient,
  supervisorCommandLine,
} from '../../support/processes/spawned-supervisor.ts';

/** A process that nobody has asked for its exit code yet counts as gone. */
async function isAlive(pid: number): Promise<boolean> {
  return (await identifyProcess(pid)) !== undefined;
}

t.test('it leaves a record, answers on its socket, and its game has nothing of ours', async (t) => {
  const { child, home, client } = await spawnSupervisor(t);
  t.match(await readLivingRecord(home.supervisorRecord('test')), {
    pid: child.pid,
    socket: home.supervisorSocket('test'),
  });
  t.match(await client.hello(), { name: 'supervisor:test', pid: child.pid });
  const pid = await startGame({ client });
  t.notMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /GAMEKEEPER_|NODE_/);
  t.equal(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[5], String(pid), 'a session of its own');
});

t.test(
  'a terminal that goes away, and Ctrl-C, do not end it; SIGTERM stops the game and leaves nothing behind',
  async (t) => {
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
  },
);

t.test('the daemon may be killed: the game goes on, and is found again', async (t) => {
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

t.test('retire answers when the game has stopped, and then the process ends', async (t) => {
  const { child, client } = await spawnSupervisor(t);
  const pid = await startGame({ client });
  const exited = once(child, 'exit');
  await client.call.retire(undefined, { timeoutMs: 0 });
  t.notOk(await isAlive(pid));
  t.strictSame(await exited, [0, null]);
});

t.test('after a kill of the supervisor the next one ends what is left of the game, and starts it anew', async (t) => {
  const first = await spawnSupervisor(t);
  const { home } = first;
  const old = await startGame(first);
  await killSupervisor(first);
  t.ok(await isAlive(old), 'it does not mind having lost its terminal');
  const next = await spawnSupervisor(t, { home });
  const pid = await startGame(next);
  t.not(pid, old);
  t.notOk(await isAlive(old));
  t.match(await next.client.call.logs({ lines: 100 }), [/up/]);
});

t.test('started by hand it says what to use instead', async (t) => {
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
