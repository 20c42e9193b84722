import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { type ManagedProcess, manageProcess } from '../../../shared/node/processes/managed-process.ts';
import { startChild } from '../../../shared/node/processes/spawn.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import { createHttpServer } from '../../http/server.ts';
import { listen, type ServeOptions, takeHome } from '../serve.ts';
import type { ProxyConfig } from '../startup/config.ts';
import { readKeyFile } from '../store/vault.ts';
import { WORKER_VARIABLE } from './worker.ts';

/** Longer than a worker takes to send its computers elsewhere (serve.ts). */
const STOP_WITHIN_MS = 150_000;

/**
 * Runs several processes that share the port and the database, each a replica of the others, until `end` fires. A worker that dies is started
 * again. Throws StartupError if they cannot start.
 */
export async function runWorkers(count: number, { config, log, end, onReady }: ServeOptions): Promise<void> {
  if (config.databaseUrl === undefined)
    throw new StartupError(
      'Several workers need a PostgreSQL database: set DATABASE_URL. With the embedded database leave out --workers.',
      { exitCode: EXIT.usage },
    );
  if (config.edge)
    throw new StartupError(
      'Players connect to one process: run "gamekeeper proxy --edge" beside this one, on the same database, without --workers.',
      { exitCode: EXIT.usage },
    );
  const { home } = config;
  await using cleanup = new AsyncDisposableStack();
  await mkdir(home.run, { recursive: true, mode: 0o700 });
  cleanup.defer(takeHome(config));
  await rm(home.record, { force: true }); // of a proxy that was killed
  // Before the workers look for it: two would create two.
  if (config.secret === undefined) await readKeyFile(home.keyFile);
  const port = await freePort(config);
  const workers: ManagedProcess<string>[] = [];
  cleanup.defer(async () => void (await Promise.all(workers.map((worker) => worker.stop(STOP_WITHIN_MS)))));
  const start = async (number: number) => {
    workers.push(await startWorker(number, { port, log, end }));
  };
  // The first one alone: what is wrong with the settings is printed once.
  await start(1);
  await Promise.all(Array.from({ length: count - 1 }, (_, index) => start(index + 2)));
  const url = await workers[0]!.ready();
  cleanup.defer(() => rm(home.record, { force: true }));
  await writeFileAtomically(home.record, `${JSON.stringify({ pid: process.pid, url })}\n`);
  log.info({ url, port, workers: count }, 'ready');
  onReady(url);
  if (!end.aborted) await once(end, 'abort');
  log.info('ending');
}

function startWorker(
  number: number,
  { port, log, end }: { port: number; log: Logger; end: AbortSignal },
): Promise<ManagedProcess<string>> {
  const name = `worker ${number}`;
  const [, entry = '', ...args] = process.argv;
  const environment = { [WORKER_VARIABLE]: String(number), GAMEKEEPER_PROXY_PORT: String(port) };
  const start = () =>
    startChild<string>({ name, command: { entry, args, flags: process.execArgv }, process: { environment } });
  return manageProcess<string>({ name, start, log, ending: end });
}

/**
 * Resolves to the port, after making sure that nobody else listens on it. Workers share it, so they would not notice.
 */
async function freePort(config: ProxyConfig): Promise<number> {
  const server = createHttpServer(() => undefined, { bodyTimeoutMs: 0 });
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
