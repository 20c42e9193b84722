import { constants } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import { readJsonRecord } from '../../../shared/node/files/json-record.ts';
import {
  identifyProcess,
  isAlive,
  isOfThisBoot,
  type ProcessIdentity,
} from '../../../shared/node/processes/process-identity.ts';
import { type GameProcesses, killGame, remnantsOf, sendSignal } from '../process/game-processes.ts';

const LOOK_MS = 50;
/** No process has this number. */
const NO_PROCESS = 0;
/** More than a record takes, and what file systems give to the smallest file. */
const ROOM_BYTES = 4096;

/** What the next supervisor needs to know about a game, should this one be killed. Holds no secrets. */
export interface RecordedGame {
  pid: number;
  /** See RUN_MARK. */
  mark: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Whether players could join. */
  ready: boolean;
  /** Whether it goes on without its terminal. */
  keepsRunning: boolean;
  /** Where it was to be reached. */
  host: string;
  port: number;
  rconPort: number | null;
  /** What it was started with, for a restart that depends on nobody. */
  provisioned: Provisioned;
}

/** A game that an earlier supervisor has left behind. */
export type LeftGame = RecordedGame & ProcessIdentity;

/** Which process the game is, on disk. */
export interface GameRecord {
  /**
   * To be called before there is a process: killed between then and `write`, this supervisor leaves at least a way to find it. Takes the room
   * for the `write` that follows, so that a disk that fills up meanwhile cannot stand in its way.
   */
  announce(mark: string): Promise<void>;
  write(game: RecordedGame): Promise<void>;
  clear(): Promise<void>;
  /** The game of a supervisor that was killed, if its first process lives. Throws, as `endLeft` does, where that cannot be seen. */
  left(): Promise<LeftGame | undefined>;
  /**
   * Ends what a killed supervisor has left of its game, and clears the record. It has lost its terminal, which tells it to end; after
   * `graceMs` it is made to. A second one beside it would ruin the world. Resolves to whether there was anything.
   */
  endLeft(graceMs: number): Promise<boolean>;
}

export function gameRecord(file: string): GameRecord {
  const next = `${file}.new`;
  async function clear(): Promise<void> {
    await rm(file, { force: true });
    await rm(next, { force: true });
  }
  // Whole or not at all for whoever reads it. That it reaches the disk matters to nobody: no game outlives the machine.
  async function put(content: object): Promise<void> {
    const text = Buffer.from(JSON.stringify(content));
    // Not emptied first: what is there has its room.
    const handle = await open(next, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      await handle.writeFile(text);
      await handle.truncate(text.length);
    } finally {
      await handle.close();
    }
    await rename(next, file);
  }
  async function left(): Promise<LeftGame | undefined> {
    const game = await read(file);
    return game && (await isAlive(game)) ? game : undefined;
  }
  return {
    async announce(mark) {
      try {
        await put({ mark, pid: NO_PROCESS, startTime: '' });
        await writeFile(next, Buffer.alloc(ROOM_BYTES), { mode: 0o600 });
      } catch (error) {
        await clear();
        throw error;
      }
    },
    async write(game) {
      const identity = await identifyProcess(game.pid);
      if (identity) await put({ ...game, ...identity });
    },
    clear,
    left,
    async endLeft(graceMs) {
      const game = await read(file);
      const found = game !== undefined && (await isOfThisBoot(game)) && (await end(game, graceMs));
      await clear();
      return found;
    },
  };
}

async function end(game: LeftGame, graceMs: number): Promise<boolean> {
  const processes: GameProcesses = { leader: game.pid, mark: game.mark };
  const rest = async () => {
    if (await isAlive(game)) return { leaderLives: true, others: [] };
    // A session whose leader's number is another process's by now is not the game's.
    const { inSession, elsewhere } = remnantsOf(processes);
    const isReused = (await identifyProcess(game.pid)) !== undefined;
    return { leaderLives: false, others: isReused ? elsewhere : [...inSession, ...elsewhere] };
  };
  const deadline = performance.now() + graceMs;
  for (let told = false; ; await sleep(LOOK_MS)) {
    const { leaderLives, others } = await rest();
    if (!leaderLives && others.length === 0) return told;
    if (!told) for (const pid of leaderLives ? [-game.pid] : others) sendSignal(pid, 'SIGTERM');
    told = true;
    const late = performance.now() - deadline;
    if (late >= 0 && leaderLives) killGame(processes, { leaderEnded: false });
    else if (late >= 0) for (const pid of others) sendSignal(pid, 'SIGKILL');
    // What is not ours to end, being another user's, does not keep the server from its next start.
    if (late >= graceMs && !leaderLives) return told;
  }
}

async function read(file: string): Promise<LeftGame | undefined> {
  const value = (await readJsonRecord(file)) as Partial<LeftGame> | null | undefined;
  if (typeof value?.pid !== 'number' || typeof value.startTime !== 'string') return undefined;
  // Records of earlier versions hold no more than that.
  const unknown = { mark: '', startedAt: Date.now(), ready: false, keepsRunning: false, provisioned: {} };
  return { ...unknown, host: '', port: 0, rconPort: null, ...value, pid: value.pid, startTime: value.startTime };
}
