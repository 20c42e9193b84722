import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import type { HandedOver, SupervisorBoot } from '../../../shared/contract/supervisor-boot.ts';
import type { Intent } from '../../../shared/domain/instance/intent.ts';
import { type Home, homeAt } from '../../../shared/node/files/home.ts';
import { connectSupervisor, type SupervisorClient } from '../../../shared/node/ipc/connect.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { RecordedGame } from '../../../workers/supervisor/game/game-record.ts';
import { sendSignal } from '../../../workers/supervisor/process/game-processes.ts';
import { freePort } from '../machine/free-port.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { until } from '../machine/until.ts';
import { instanceConfig } from './instance-config.ts';
import { processesOf } from './leftovers.ts';

const ENTRY = path.resolve(import.meta.dirname, '../../../workers/supervisor/main.ts');

/** A server that prints when it is up, ends at `stop`, and ignores the loss of its terminal. */
const SERVER =
  'trap "" HUP; echo up; while read line; do echo "got $line"; [ "$line" = stop ] && exit 0; done; sleep 1000';

const CUSTOM: Partial<InstanceConfig> = {
  software: 'custom',
  launch: { command: ['sh', '-c', SERVER] },
  readyPattern: '^up$',
};

/** A supervisor of the instance `test` in its own process. */
export interface SpawnedSupervisor {
  child: ChildProcess;
  home: Home;
  client: SupervisorClient;
}

export interface SpawnOptions {
  home?: Home;
  config?: Partial<InstanceConfig>;
  /** What the former supervisor has left to this one. */
  handedOver?: HandedOver;
  intent?: Intent;
}

export async function supervisorBoot(home: Home, config: Partial<InstanceConfig> = {}): Promise<SupervisorBoot> {
  return {
    type: 'boot',
    config: instanceConfig({
      ...(config.software === undefined && CUSTOM),
      port: await freePort(),
      directory: home.instanceDirectory('test'),
      ...config,
    }),
    software: [],
    redaction: { patterns: [], exceptions: [] },
  };
}

export function supervisorClient(t: Test, home: Home): SupervisorClient {
  const client = connectSupervisor('test', home.supervisorSocket('test'));
  t.teardown(() => client.close());
  return client;
}

export function supervisorCommandLine(home: Home): string[] {
  return [ENTRY, '--home', home.root, '--instance', 'test'];
}

/** Starts a supervisor as the daemon does. At the end of the test it and its game are gone. */
export async function spawnSupervisor(t: Test, options: SpawnOptions = {}): Promise<SpawnedSupervisor> {
  const home = options.home ?? homeAt(temporaryFolder(t));
  mkdirSync(home.logs, { recursive: true });
  const log = openSync(path.join(home.logs, 'supervisor.log'), 'a');
  const child = spawn(process.execPath, supervisorCommandLine(home), {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    env: { ...process.env, GAMEKEEPER_TEST: 'private' },
  });
  const client = supervisorClient(t, home);
  t.teardown(async () => {
    await client.call.kill().catch(() => undefined); // rejects if nothing runs
    child.kill('SIGKILL');
    // It may have had no time to end what holds the terminal of its game.
    for (const { pid } of processesOf(home.root)) sendSignal(pid, 'SIGKILL');
  });
  const { handedOver, intent } = options;
  child.send({
    ...(await supervisorBoot(home, options.config)),
    ...(handedOver && { handedOver }),
    ...(intent && { intent }),
  });
  const [message] = await once(child, 'message');
  t.match(message, { type: 'ready', ready: { socket: home.supervisorSocket('test') } });
  return { child, home, client };
}

/** Starts the game. Resolves to its pid once it runs. */
export async function startGame({ client }: Pick<SpawnedSupervisor, 'client'>): Promise<number> {
  await client.call.start();
  return until('the game runs', async () => {
    const { phase, pid } = await client.call.status();
    return phase === 'running' && pid;
  });
}

/** Kills a supervisor, like a crash. Resolves when it is gone. */
export async function killSupervisor({ child }: Pick<SpawnedSupervisor, 'child'>): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Kills what holds the terminal of a server's game, so that the game loses it. */
export function killTerminal(home: Home, id = 'test'): void {
  const { terminal } = JSON.parse(readFileSync(home.gameRecord(id), 'utf8')) as RecordedGame;
  if (!terminal) throw new Error('nothing holds the terminal');
  process.kill(-terminal.holder, 'SIGKILL');
}
