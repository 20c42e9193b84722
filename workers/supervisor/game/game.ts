import { setTimeout as sleep } from 'node:timers/promises';
import type { PreparedFolder } from '../folder/prepare-folder.ts';
import type { LaunchPlan } from '../lifecycle/launch-plan.ts';
import { ManagementSession } from '../management/management-session.ts';
import type { Log } from '../own-process/process-log.ts';
import { findProgram } from '../process/find-program.ts';
import { type GameProcesses, killGame, remnantsOf, sendSignal } from '../process/game-processes.ts';
import { ignoringHangup } from '../process/ignore-hangup.ts';
import { OutOfMemoryWatch } from '../process/out-of-memory.ts';
import { type PtyExit, spawnPty, type TerminalSize } from '../process/pty.ts';
import { createRconSession, type RconSession } from '../rcon/session.ts';
import type { RconTally } from '../rcon/tally.ts';
import { createGameCommands, type GameCommands, RCON_START_MS } from './game-commands.ts';
import { LineFeed } from './line-feed.ts';

/** Enter, as a terminal sends it: a line discipline turns it into a line end, and line editors understand nothing else. */
const ENTER = '\r';
const REMNANT_LOOK_MS = 100;

export interface GameOptions {
  plan: LaunchPlan;
  /** Tells the processes of this run from all others (RUN_MARK). */
  mark: string;
  folder: PreparedFolder;
  /** What its terminal begins with. */
  terminalSize: TerminalSize | undefined;
  rconTally: RconTally;
  /** How long what its first process leaves behind may take to end before it is killed, milliseconds. */
  stopGraceMs: number;
  /** Raw terminal output, in order. */
  onOutput: (bytes: Buffer) => void;
  /** Hides a secret that the game has made itself from the console. */
  hideSecret: (secret: string) => void;
  log: Log;
}

/** How a game has ended. */
export interface GameExit extends PtyExit {
  /** It has said that it stops, where nobody is told its exit code. */
  hasSaidSo: boolean;
  /** Whether the kernel killed processes of this machine for want of memory just before. */
  outOfMemoryKills: boolean;
}

/** One run of a game server: its process, its console, its RCON, its management protocol. */
export interface Game {
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Started by an earlier supervisor, and without a terminal since that was killed (recovered-game.ts). */
  readonly isRecovered: boolean;
  readonly folder: PreparedFolder;
  readonly lines: LineFeed;
  readonly rcon: Pick<RconSession, 'run' | 'isBusy'> | undefined;
  readonly management: ManagementSession;
  readonly commands: GameCommands;
  /** Resolves once nothing of it is left and all its output has been given to `onOutput`. */
  readonly exited: Promise<GameExit>;
  /** To be told when players can join. */
  gotReady(): void;
  /** Types one line into the console; into the void once the process has ended. */
  type(line: string): void;
  resize(size: TerminalSize): void;
  signal(name: 'SIGTERM'): void;
  kill(): void;
}

/** Starts a game. Throws `launch_failed`. */
export async function launchGame(options: GameOptions): Promise<Game> {
  const { plan, mark, folder, terminalSize, rconTally, onOutput } = options;
  const program = await findProgram(plan.program, { cwd: plan.cwd, searchPath: plan.env.PATH ?? '' });
  const lines = new LineFeed();
  const startedAt = Date.now();
  const pty = spawnPty({
    ...plan,
    ...(plan.keepsRunning ? ignoringHangup({ program, args: plan.args }) : { program }),
    mark,
    size: terminalSize,
    onData(bytes) {
      onOutput(bytes);
      lines.push(bytes);
    },
  });
  const memory = new OutOfMemoryWatch();
  let ended = false;
  let gone = false;
  let readyAt: number | undefined;
  const rcon = folder.rcon && createRconSession({ ...folder.rcon, tally: rconTally });
  const management = new ManagementSession({ ...options, folder: plan.cwd, env: plan.env, lines });
  const exited = pty.exited.then(async (exit) => {
    ended = true;
    const outOfMemoryKills = memory.end(); // before the wait for what is left
    rcon?.close();
    management.close();
    await endRemnants({ leader: pty.pid, mark }, options.stopGraceMs);
    gone = true;
    return { ...exit, hasSaidSo: false, outOfMemoryKills };
  });
  const type = (line: string) => {
    if (!ended) pty.write(line + ENTER);
  };
  return {
    pid: pty.pid,
    startedAt,
    isRecovered: false,
    folder,
    lines,
    rcon,
    management,
    commands: createGameCommands({
      rcon,
      type,
      rconMayCome: () => !ended && readyAt !== undefined && performance.now() - readyAt < RCON_START_MS,
    }),
    exited,
    gotReady() {
      readyAt = performance.now();
      if (!ended) management.start();
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
 * Waits for what the first process has left behind, and after `graceMs` kills it. What is still in its session was told to end by the end of
 * the terminal; what left it is told here. A start before that would find ports and world still taken.
 */
export async function endRemnants(processes: GameProcesses, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  for (let told = false; ; told = true) {
    const { inSession, elsewhere } = remnantsOf(processes);
    if (inSession.length + elsewhere.length === 0) return;
    if (performance.now() >= deadline) return killGame(processes, { leaderEnded: true });
    if (!told) for (const pid of elsewhere) sendSignal(pid, 'SIGTERM');
    await sleep(REMNANT_LOOK_MS);
  }
}
