import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './find-program.ts';
import { createGameCommands, type GameCommands, RCON_START_MS, type Rcon } from './game-commands.ts';
import type { LaunchPlan } from './launch.ts';
import { LineFeed } from './line-feed.ts';
import type { PreparedFolder } from './prepare-folder.ts';
import { sessionMembers } from './process-tree.ts';
import { type PtyExit, spawnPty, type TerminalSize } from './pty.ts';
import { createRconSession } from './rcon/session.ts';
import type { RconTally } from './rcon/tally.ts';

/** Enter, as a terminal sends it: a line discipline turns it into a line end, and line editors understand nothing else. */
const ENTER = '\r';
/** What a server leaves behind (a script that ended before its Java) has so long to save the world. */
const REMNANT_GRACE_MS = 10_000;
const REMNANT_LOOK_MS = 100;

export interface GameOptions {
  plan: LaunchPlan;
  folder: PreparedFolder;
  /** What its terminal begins with. */
  terminalSize: TerminalSize | undefined;
  rconTally: RconTally;
  /** Raw terminal output, in order. */
  onOutput: (bytes: Buffer) => void;
}

/** One run of a game server: its process, its console, its RCON. */
export interface Game {
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly folder: PreparedFolder;
  readonly lines: LineFeed;
  readonly rcon: Rcon | undefined;
  readonly commands: GameCommands;
  /** Resolves once nothing of it is left and all its output has been given to `onOutput`. */
  readonly exited: Promise<PtyExit>;
  /** To be told when players can join. */
  gotReady(): void;
  /** Types one line into the console; into the void once the process has ended. */
  type(line: string): void;
  resize(size: TerminalSize): void;
  signal(name: 'SIGTERM'): void;
  kill(): void;
}

/** Starts a game. Throws `launch_failed`. */
export async function launchGame({ plan, folder, terminalSize, rconTally, onOutput }: GameOptions): Promise<Game> {
  const program = await findProgram(plan.program, { cwd: plan.cwd, searchPath: plan.env.PATH ?? '' });
  const lines = new LineFeed();
  const startedAt = Date.now();
  const pty = spawnPty({
    ...plan,
    program,
    size: terminalSize,
    onData(bytes) {
      onOutput(bytes);
      lines.push(bytes);
    },
  });
  let ended = false;
  let gone = false;
  let readyAt: number | undefined;
  const rcon = folder.rcon && createRconSession({ ...folder.rcon, tally: rconTally });
  const exited = pty.exited.then(async (exit) => {
    ended = true;
    rcon?.close();
    await endRemnants(pty.pid, pty.kill);
    gone = true;
    return exit;
  });
  const type = (line: string) => {
    if (!ended) pty.write(line + ENTER);
  };
  return {
    pid: pty.pid,
    startedAt,
    folder,
    lines,
    rcon,
    commands: createGameCommands({
      rcon,
      type,
      rconMayCome: () => !ended && readyAt !== undefined && performance.now() - readyAt < RCON_START_MS,
    }),
    exited,
    gotReady() {
      readyAt = performance.now();
    },
    type,
    resize(size) {
      if (!ended) pty.resize(size);
    },
    signal(name) {
      if (!gone) pty.signal(name);
    },
    kill() {
      if (!gone) pty.kill();
    },
  };
}

/**
 * Waits for what the first process has left in its session, which its terminal's end tells to end, too; what stays is killed. A start
 * before that would find ports and world still taken.
 */
async function endRemnants(session: number, kill: () => void): Promise<void> {
  if (process.platform !== 'linux') return;
  const deadline = Date.now() + REMNANT_GRACE_MS;
  while (sessionMembers(session).length > 0) {
    if (Date.now() >= deadline) return kill();
    await sleep(REMNANT_LOOK_MS);
  }
}
