import { constants } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import { readJsonRecord } from '../../../shared/node/files/json-record.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { retry } from '../../../shared/node/primitives/retry.ts';
import {
  identifyProcess,
  isAlive,
  isOfThisBoot,
  type ProcessIdentity,
} from '../../../shared/node/processes/process-identity.ts';
import type { NotedSettings, NotedValue } from '../lifecycle/settings-at-start.ts';
import type { Log } from '../own-process/process-log.ts';
import { type EndOptions, endProcesses, Terminator } from '../process/end-processes.ts';
import { processesOf } from '../process/game-processes.ts';
import type { FoundProcess } from '../process/process-tree.ts';
import { endHolder, findTerminalOf, type RecordedTerminal } from '../process/terminal-holder.ts';

const NO_PROCESS = 0;
/** More than a record needs, except with very many changed properties. */
const RESERVED_BYTES = 16_384;
/** Between two attempts at a record that could not be written, milliseconds. */
const WRITE_RETRY_MS = 1_000;

/** What the next supervisor needs to know about a game process if this supervisor is killed. Contains no secrets. */
export interface RecordedGame {
  pid: number;
  /** See RUN_MARK. */
  mark: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Absent in records of earlier versions. */
  startedMonotonicMs?: number;
  ready: boolean;
  /** The console's last line before the game. Absent in records of earlier versions. */
  linesBefore?: number;
  /** True if the game survives the loss of its terminal. */
  keepsRunning: boolean;
  /** Its terminal. Absent if that ended with its supervisor. */
  terminal?: RecordedTerminal;
  host: string;
  port: number;
  rconPort: number | null;
  /** The software and Java that it runs on, for a restart without the jobs process. */
  provisioned: Provisioned;
  /** The instance's settings at its start. Absent in records of earlier versions. */
  startedWith?: NotedSettings;
  /** Properties that were changed since, by key: what it has read, and what it will read at its next start. */
  changedProperties?: Readonly<Record<string, { running: NotedValue; configured: NotedValue }>>;
  /** True if the server should restart once nobody is online. */
  restartWhenEmpty?: boolean;
}

/** A living game process whose supervisor is gone. */
export type OrphanedGame = RecordedGame & ProcessIdentity;

/** The file that identifies the game process. */
export interface GameRecord {
  /**
   * Call this before spawning: if the supervisor is killed before `write`, the mark still finds the process. Also reserves the disk space
   * of the next `write`, which therefore succeeds even if the disk fills up meanwhile.
   */
  announce(mark: string): Promise<void>;
  write(game: RecordedGame): Promise<void>;
  clear(): Promise<void>;
  /** Returns the game of a killed supervisor if its first process is alive. Throws, as `endOrphan` does, if that cannot be read. */
  findOrphan(): Promise<OrphanedGame | undefined>;
  /** Returns the terminal of a killed supervisor's game, even if the game has ended, or the terminal was not recorded yet. */
  findTerminal(): Promise<RecordedTerminal | undefined>;
  /**
   * Ends the processes that a killed supervisor left, and clears the record: a second game beside them would ruin the world. They lost
   * their terminal; they get SIGTERM now and SIGKILL after `graceMs`. Returns true if there were any.
   */
  endOrphan(options: EndOrphanOptions): Promise<boolean>;
}

export interface EndOrphanOptions extends Omit<EndOptions, 'terminator'> {
  /** Called with what was found, before it is ended. */
  onFound?: (found: readonly FoundProcess[]) => void;
  /** Called when all have ended, before what holds the terminal is ended and the record is cleared. */
  onEnded?: () => Promise<void>;
}

export function createGameRecord(file: string): GameRecord {
  const next = `${file}.new`;
  async function clear(): Promise<void> {
    await rm(file, { force: true });
    await rm(next, { force: true });
  }
  // Replaced as a whole for readers, but not synced: no game survives the machine.
  async function replace(content: object): Promise<void> {
    const text = Buffer.from(JSON.stringify(content));
    // Not truncated on opening, so that a reserved file keeps its space.
    const handle = await open(next, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      await handle.writeFile(text);
      await handle.truncate(text.length);
    } finally {
      await handle.close();
    }
    await rename(next, file);
  }
  return {
    async announce(mark) {
      try {
        await replace({ mark, pid: NO_PROCESS, startTime: '' });
        await writeFile(next, Buffer.alloc(RESERVED_BYTES), { mode: 0o600 });
      } catch (error) {
        await clear();
        throw error;
      }
    },
    async write(game) {
      const identity = await identifyProcess(game.pid);
      if (identity) await replace({ ...game, ...identity });
    },
    clear,
    async findOrphan() {
      const game = await read(file);
      return game && (await isAlive(game)) ? game : undefined;
    },
    async findTerminal() {
      const game = await read(file);
      if (!game || !isOfThisBoot(game)) return undefined;
      return game.terminal ?? findTerminalOf(game.mark);
    },
    async endOrphan(options) {
      const game = await read(file);
      const found = game !== undefined && isOfThisBoot(game) && (await end(game, options));
      await clear();
      return found;
    },
  };
}

async function end(game: OrphanedGame, { onFound, onEnded, ...options }: EndOrphanOptions): Promise<boolean> {
  const terminator = new Terminator();
  const holder = (game.terminal ?? findTerminalOf(game.mark))?.holder;
  let hasFound = false;
  const remaining = async () => {
    const leaderEnded = !(await isAlive(game));
    const found = processesOf({ leader: game.pid, mark: game.mark, holder }, { leaderEnded });
    // Without /proc only the first process is known.
    const left = found.length === 0 && !leaderEnded ? [unlisted(game.pid)] : found;
    if (left.length > 0 && !hasFound) onFound?.(left);
    hasFound ||= left.length > 0;
    return left;
  };
  await endProcesses(remaining, { ...options, terminator });
  await onEnded?.();
  if (holder !== undefined) endHolder({ holder, mark: game.mark });
  return hasFound;
}

function unlisted(pid: number): FoundProcess {
  return { pid, startTicks: 0, command: 'the server', parent: 0, group: pid, session: pid, terminal: 0 };
}

async function read(file: string): Promise<OrphanedGame | undefined> {
  const value = (await readJsonRecord(file)) as Partial<OrphanedGame> | null | undefined;
  if (typeof value?.pid !== 'number' || typeof value.startTime !== 'string') return undefined;
  // An announcement has only these fields, and so does a record of an earlier version.
  const unknown = { mark: '', startedAt: Date.now(), ready: false, keepsRunning: false, provisioned: {} };
  return { ...unknown, host: '', port: 0, rconPort: null, ...value, pid: value.pid, startTime: value.startTime };
}

/** The process is not our child, so its end is found by polling; without /proc each poll starts a process. Milliseconds. */
const POLL_MS = process.platform === 'linux' ? 250 : 2_000;

/** Resolves when a game that an earlier supervisor started has ended. */
export async function whenEnded(orphan: OrphanedGame, log: Log): Promise<void> {
  const onFailure = (error: unknown) => log('warn', 'could not check whether the game is alive', { error });
  while (await retry(() => isAlive(orphan), { onFailure })) await sleep(POLL_MS);
}

export interface KeptRecord {
  /** Writes the record as it should be now. Resolves after one attempt; a failed one is repeated until it succeeds. Never rejects. */
  update(): Promise<void>;
  /** Resolves once no write is pending. */
  end(): Promise<void>;
}

/** Keeps a record up to date even if disk space or file descriptors run out for a while. */
export function keepRecord(write: () => Promise<void>, log: Log): KeptRecord {
  const mutex = createMutex();
  let retryTimer: NodeJS.Timeout | undefined;
  let failures = 0;
  let over = false;

  async function attempt(): Promise<void> {
    clearTimeout(retryTimer);
    if (over) return;
    try {
      await write();
      failures = 0;
    } catch (error) {
      if (failures++ === 0) log('warn', 'the record of the game process could not be written', { error });
      retryTimer = setTimeout(update, WRITE_RETRY_MS);
    }
  }

  function update(): Promise<void> {
    return mutex.run(attempt);
  }

  return {
    update,
    async end() {
      over = true;
      await mutex.settled();
      clearTimeout(retryTimer);
    },
  };
}
