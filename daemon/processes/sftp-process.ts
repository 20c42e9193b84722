import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import { type ManagedProcess, manageProcess } from '../../shared/node/processes/managed-process.ts';
import { type Child, startChild } from '../../shared/node/processes/spawn.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import type { SftpListening, SftpState } from '../../shared/schema/sftp.ts';
import { recordChild } from './former-children.ts';
import { PROGRAMS } from './programs.ts';

/** Sessions end at once: files that were being written stay as they were. Milliseconds. */
const GRACE_MS = 1_000;
/** The port may become free. Milliseconds. */
const RETRY_MS = 15_000;

export interface SftpProcess {
  /** Starts, moves or ends the SFTP server. If it rejects, because a port is taken for example, the server runs as before. */
  apply(settings: Settings['sftp']): Promise<void>;
  /** Applies the initial settings. Tries again until it works or other settings are applied. Never rejects. */
  start(): Promise<void>;
  state(): SftpState;
  /** Ends it for good. */
  stop(): Promise<void>;
}

export interface SftpProcessOptions {
  home: Home;
  log: Logger;
  ending: AbortSignal;
  initial: Settings['sftp'];
}

export function createSftpProcess({ home, log, ending, initial }: SftpProcessOptions): SftpProcess {
  const mutex = createMutex();
  let applied = initial;
  let managed: ManagedProcess<SftpListening> | undefined;
  let listening: SftpListening | null = null;
  let retrying = new AbortController();

  function startOne({ host, port }: Settings['sftp']): Child<SftpListening> {
    const child = startChild<SftpListening>({
      name: 'SFTP server',
      command: { entry: PROGRAMS.sftp, args: ['--home', home.root, '--host', host, '--port', String(port)] },
      logFile: `${home.logs}/sftp.log`,
    });
    recordChild(home, 'sftp', child.pid).catch((error: unknown) =>
      log.warn({ err: error }, 'the process of the SFTP server could not be recorded'),
    );
    child.ready.then(
      (where) => {
        listening = where;
      },
      () => undefined, // reported to the caller that awaits the start
    );
    void child.exited.then(() => {
      listening = null;
    });
    return child;
  }

  async function run(settings: Settings['sftp']): Promise<void> {
    await managed?.stop(GRACE_MS);
    managed = undefined;
    if (!settings.enabled) return;
    // A port that was chosen by the system stays the same when the process is replaced.
    let { port } = settings;
    managed = await manageProcess({
      name: 'SFTP server',
      log,
      ending,
      start: () => startOne({ ...settings, port }),
    });
    port = (await managed.ready()).port;
  }

  async function change(next: Settings['sftp']): Promise<void> {
    retrying.abort();
    if (isSame(next, applied) && (managed !== undefined) === next.enabled) return;
    const former = applied;
    try {
      await run(next);
      applied = next;
    } catch (error) {
      await run(former).catch((again: unknown) =>
        log.error({ err: again }, 'the SFTP server could not be started again'),
      );
      throw error;
    }
  }

  async function retry(settings: Settings['sftp']): Promise<void> {
    retrying = new AbortController();
    const { signal } = retrying;
    while (!signal.aborted && !ending.aborted) {
      await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined); // rejects only if aborted
      if (signal.aborted || ending.aborted) return;
      const isDone = await mutex
        .run(() => run(settings))
        .then(
          () => true,
          () => false,
        );
      if (isDone) return;
    }
  }

  return {
    apply: (settings) => mutex.run(() => change(settings)),
    async start() {
      try {
        await mutex.run(() => run(initial));
      } catch (error) {
        log.error({ err: error }, 'the SFTP server could not be started');
        void retry(initial);
      }
    },
    state: () => ({ enabled: applied.enabled, listening }),
    stop: () =>
      mutex.run(async () => {
        retrying.abort();
        await managed?.stop(GRACE_MS);
      }),
  };
}

function isSame(one: Settings['sftp'], other: Settings['sftp']): boolean {
  return one.enabled === other.enabled && one.host === other.host && one.port === other.port;
}
