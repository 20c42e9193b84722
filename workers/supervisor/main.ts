import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { protocolOf } from '../../shared/contract/call.ts';
import { LEASE_MS, type SupervisorService, supervisorRouter } from '../../shared/contract/supervisor.ts';
import { stopGraceMs } from '../../shared/domain/instance/stop-time.ts';
import { setCustomSoftware } from '../../shared/domain/software/catalogue.ts';
import { VERSION } from '../../shared/domain/version.ts';
import { toCodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import { serveIpc } from '../../shared/node/ipc/server.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { reportFailure, reportReady } from '../../shared/node/processes/lifeline.ts';
import { identifyProcess } from '../../shared/node/processes/process-identity.ts';
import { writeSupervisorRecord } from '../../shared/node/processes/process-record.ts';
import { lowerSessionPriority } from '../../shared/node/processes/session-priority.ts';
import { openConsoleLog } from './console/console-log.ts';
import { RESTART_BACK_OFF } from './crash/crash-policy.ts';
import { readCommandLine, receiveBoot } from './own-process/boot.ts';
import { countingUse, IDLE_EXIT_MS, IdleExit } from './own-process/idle-exit.ts';
import { LastCall } from './own-process/last-call.ts';
import { createLog } from './own-process/process-log.ts';
import { END_BANS_EVERY_MS } from './players/bans/ban-keeper.ts';
import { COUNT_PLAYERS_EVERY_MS } from './players/seen-players.ts';
import { createSupervisor } from './supervisor.ts';
import { createUpstream } from './upstream.ts';
import { TICKS_EVERY_MS } from './vitals/tick-watch.ts';
import { PING_EVERY_MS } from './vitals/vitals.ts';
import { LOCK_DEADLINE_MS } from './world/world-lock.ts';

/** Before the connections are closed, the answer to `retire` gets this long to be sent. Milliseconds. */
const LAST_ANSWER_MS = 50;
/** Long enough for the garbage of a start to be collectable and for the game to have the CPU to itself first. */
const TRIM_AFTER_MS = 5_000;
/** A console that prints without pause must delay neither games, which have sessions of their own, nor answers. In jobs: 10. */
const NICE = 5;
/** The bundle is `dist/workers/supervisor/main.js`. */
const DIST = path.resolve(import.meta.dirname, '..', '..');

lowerSessionPriority(NICE);
// A terminal's signals are meant for the daemon: closing its window must not end a game.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const commandLine = readCommandLine(process.argv.slice(2));
const boot = await receiveBoot();
if (!commandLine || !boot) {
  process.stderr.write('The Gamekeeper daemon starts this program. To start a server, use "gamekeeper start <id>".\n');
  process.exit(EXIT.usage);
}
const { home, instance } = commandLine;
const log = createLog(instance);

// Exiting would leave the game without its console. So an error in one request must only fail that request.
process.on('uncaughtException', (error) => log('error', 'uncaught exception', { error }));
process.on('unhandledRejection', (error) => log('error', 'unhandled rejection', { error }));

let leaving = false;
const console = await openConsoleLog({
  directory: home.consoleLogDirectory(instance),
  redaction: boot.redaction,
}).catch(cannotServe);
console.hideSecrets([...(boot.redaction.secrets ?? []), ...(boot.handedOver?.secrets ?? [])]);
const lastCall = new LastCall();
setCustomSoftware(boot.software);
const supervisor = createSupervisor({
  paths: { home, embedded: (entry) => path.join(DIST, entry) },
  boot,
  console,
  upstream: createUpstream(home, instance),
  lastCall,
  timings: {
    restartBackOff: RESTART_BACK_OFF,
    stopGraceMs,
    leaseMs: LEASE_MS,
    lockDeadlineMs: LOCK_DEADLINE_MS,
    pingEveryMs: PING_EVERY_MS,
    ticksEveryMs: TICKS_EVERY_MS,
    endBansEveryMs: END_BANS_EVERY_MS,
    countPlayersEveryMs: COUNT_PLAYERS_EVERY_MS,
  },
  log,
});
const idle = new IdleExit({ afterMs: IDLE_EXIT_MS, isNeeded: supervisor.isNeeded, onIdle: () => void leave() });

const socketPath = home.supervisorSocket(instance);
const record = home.supervisorRecord(instance);
// Nobody sees the moment in which a game that was handed over is not under control yet.
if (boot.handedOver) await supervisor.recovered;
const server = await serve().catch(cannotServe);
process.on('SIGTERM', () => void supervisor.rest().then(leave));
void supervisor.retired.then(() => setTimeout(() => void leave(), LAST_ANSWER_MS));
reportReady({ socket: socketPath });
trimMemoryAfterChanges(supervisor.service).catch((error: unknown) =>
  log('warn', 'memory could not be trimmed', { error }),
);
log('info', 'ready', { socket: socketPath });

async function cannotServe(error: unknown): Promise<never> {
  log('error', 'cannot serve', { error });
  await reportFailure(toCodedFailure(error));
  process.exit(EXIT.failure);
}

async function serve() {
  for (const file of [socketPath, record]) await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const name = `supervisor:${instance}`;
  const listening = await serveIpc({
    socketPath,
    name,
    version: VERSION,
    router: supervisorRouter,
    service: lastCall.wrap(countingUse(supervisor.service, idle)),
    onError: (error, call) => log('error', 'a call failed', { call, error }),
  });
  const identity = await identifyProcess(process.pid);
  if (!identity) throw new Error('this process cannot find itself');
  await writeSupervisorRecord(record, { ...identity, socket: socketPath, protocol: protocolOf(name).newest });
  return listening;
}

/** Exits, after removing the socket and the record. */
async function leave(): Promise<void> {
  if (leaving) return;
  leaving = true;
  idle.stop();
  await rm(record, { force: true });
  await server.close();
  await supervisor.close();
  log('info', 'leaving');
  process.exit(EXIT.ok);
}

/**
 * Returns memory to the system some time after each change of phase. A supervisor mostly waits for weeks, and V8 keeps what a burst made
 * it take. One thorough collection takes about 20 ms and frees 3 MiB, a fifth of the process. Does nothing without `--expose-gc`.
 */
async function trimMemoryAfterChanges(service: Pick<SupervisorService, 'watch'>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let last: string | undefined;
  for await (const { phase } of service.watch(new AbortController().signal)) {
    if (phase === last) continue;
    last = phase;
    clearTimeout(timer);
    timer = setTimeout(
      () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
      TRIM_AFTER_MS,
    );
    timer.unref();
  }
}
