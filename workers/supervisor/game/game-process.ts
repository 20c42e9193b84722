import { type AdminChannelType, adminChannelOf } from '../../../shared/domain/software/admin-channel.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { readClocks } from '../../../shared/node/primitives/clocks.ts';
import type { AdminAddress } from '../admin/admin-session.ts';
import { createCommandSession } from '../admin/open-session.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { LaunchPlan } from '../lifecycle/launch-plan.ts';
import { ManagementSession } from '../management/management-session.ts';
import type { Log } from '../own-process/process-log.ts';
import { endProcesses, Terminator } from '../process/end-processes.ts';
import { processesOf } from '../process/game-processes.ts';
import { OutOfMemoryWatch } from '../process/out-of-memory.ts';
import { type FoundProcess, findProcess } from '../process/process-tree.ts';
import type { PtyExit, PtyProcess } from '../process/pty.ts';
import { findSuspects } from '../process/suspects.ts';
import type { TerminalSize } from '../process/terminal-holder.ts';
import type { RconSession } from '../rcon/session.ts';
import type { RconTally } from '../rcon/tally.ts';
import { createGameCommands, type GameCommands, RCON_START_MS } from './game-commands.ts';
import type { OrphanedGame } from './game-record.ts';
import { watchLastWords } from './last-words.ts';
import type { LineFeed } from './line-feed.ts';

/** What a terminal sends for Enter. The line discipline turns it into a line end; line editors understand nothing else. */
const ENTER = '\r';

/** For a line that goes over a channel for commands, milliseconds. */
const TYPED_TIMEOUT_MS = 10_000;

/** How this process connects to the game. */
export interface GameAddress {
  host: string;
  port: number;
  /** The other ports of its kind, by name; absent: unknown. */
  ports?: Readonly<Record<string, number>>;
  /** Absent if the game has no RCON. */
  rcon: RconAddress | undefined;
}

export interface RconAddress extends AdminAddress {
  /** Absent: Source RCON. */
  channel?: AdminChannelType;
  /** True if lines typed into the console go over it. */
  replacesConsole?: boolean;
}

/** Returns what a kind adds to the address of its RCON. */
export function channelIn(
  definition: Pick<SoftwareDefinition, 'admin'>,
): Pick<RconAddress, 'channel' | 'replacesConsole'> {
  const channel = adminChannelOf(definition);
  if (!channel || !definition.admin || definition.admin.type === 'none') return {};
  return { channel, replacesConsole: definition.admin.replacesConsole === true };
}

/** What every game process of a supervisor shares. */
export interface GameServices {
  home: Home;
  console: Pick<
    ConsoleLog,
    | 'append'
    | 'appendNotice'
    | 'endOfOutput'
    | 'gameLinesAfter'
    | 'hideSecrets'
    | 'isMidLine'
    | 'lastLines'
    | 'lineNumber'
    | 'onLogged'
    | 'redact'
  >;
  rconTally: RconTally;
  /** From SIGTERM to SIGKILL, by the present settings, milliseconds. */
  stopGraceMs(): number;
  log: Log;
}

export interface GameProcessOptions {
  pty: PtyProcess;
  plan: Pick<LaunchPlan, 'cwd' | 'env'>;
  /** Distinguishes the processes of this run from all others (RUN_MARK). */
  mark: string;
  address: GameAddress;
  lines: LineFeed;
  services: GameServices;
  /** Set if an earlier supervisor started it. */
  orphan?: OrphanedGame;
  /** True if its stop command was typed before. */
  toldToStop?: boolean;
  /** What ends the game if it is typed. */
  stopCommands: readonly string[];
  /** The console's last line before the game. */
  linesBefore: number | undefined;
}

export interface GameExit extends PtyExit {
  /** True if the game logged that it is stopping. Set for recovered games only, whose exit code is unknown. */
  announcedStop: boolean;
  /** What may still run of it: processes that cannot be ended, or that may belong to somebody else. */
  leftovers: readonly FoundProcess[];
  /** True if the kernel killed processes of this machine just before because memory ran out. */
  outOfMemoryKills: boolean;
}

/** One run of a game server: its process, its console, its RCON, its management protocol. */
export interface GameProcess {
  readonly pid: number;
  /** See RUN_MARK. */
  readonly mark: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The same moment on the machine's monotonic clock. Absent if an earlier version recorded the start. */
  readonly startedMonotonicMs?: number;
  /** True if an earlier supervisor started it, so that its exit code will be unknown, and what it printed before is in the console only. */
  readonly isRecovered: boolean;
  /** False if its terminal was lost (recovered-game.ts). */
  readonly hasTerminal: boolean;
  /** True if its stop command was typed. */
  readonly toldToStop: boolean;
  /** The console's last line before the game. `undefined`: unknown. */
  readonly linesBefore: number | undefined;
  readonly address: GameAddress;
  readonly lines: LineFeed;
  readonly rcon: Pick<RconSession, 'run' | 'isBusy'> | undefined;
  readonly management: ManagementSession;
  readonly commands: GameCommands;
  /** Resolves once every process of the run has ended and all output is in the console. */
  readonly exited: Promise<GameExit>;
  markReady(): void;
  /** Types one line into the console. No effect once the process has ended. */
  type(line: string): void;
  resize(size: TerminalSize): void;
  /** Sends SIGTERM. Only the first call does: many programs take a second one as "exit without saving". */
  terminate(): void;
  /** Sends SIGINT, as Ctrl+C does. */
  interrupt(): void;
  kill(): void;
  /** Notes that its terminal was lost. */
  terminalLost(): void;
  /** Leaves the game to another supervisor: from now on its end is not noticed here. Throws as PtyProcess does. */
  release(): void;
}

/** Controls a process on its terminal, in the same turn in which the terminal is opened or taken over. */
export function createGameProcess(options: GameProcessOptions): GameProcess {
  const { pty, plan, mark, address, lines, services, orphan, stopCommands, linesBefore } = options;
  let { toldToStop = false } = options;
  const { home, console, rconTally, stopGraceMs, log } = services;
  const { startedAt, startedMonotonicMs } = orphan ?? startOfNow();
  const processes = { leader: pty.pid, mark, holder: pty.held?.holder };
  const memory = new OutOfMemoryWatch();
  const rcon = address.rcon && createCommandSession(address.rcon, rconTally);
  const replacesConsole = address.rcon?.replacesConsole;
  const hideSecret = (secret: string) => console.hideSecrets([secret]);
  const management = new ManagementSession({ folder: plan.cwd, env: plan.env, lines, hideSecret, log });
  if (orphan?.ready) management.start();
  const lastWords = orphan ? watchLastWords(lines) : () => false;
  const sinceTicks = orphan ? Number(orphan.startTime) : (findProcess(pty.pid)?.startTicks ?? 0);
  let hasTerminal = true;
  let isReleased = false;
  const terminator = new Terminator();
  const killed = new AbortController();
  let ended = false;
  let gone = false;
  let terminated = false;
  let readyAt: number | undefined;
  const exited = pty.exited.then(async (exit) => {
    if (isReleased) return Promise.withResolvers<never>().promise; // the other supervisor sees its end
    ended = true;
    const outOfMemoryKills = memory.end(); // before waiting for leftovers, which may take seconds
    rcon?.close();
    management.close();
    // A start before they are gone would find ports and world in use.
    const stuck = await endProcesses(() => processesOf(processes, { leaderEnded: true }), {
      graceMs: stopGraceMs(),
      terminator,
      notice: (text) => console.appendNotice(text),
      hurry: killed.signal,
    });
    await pty.close(() => logRest(console));
    gone = true;
    const leftovers = [...stuck, ...findSuspects(plan.cwd, { sinceTicks, home })];
    return {
      ...exit,
      announcedStop: lastWords() || (orphan !== undefined && toldToStop),
      outOfMemoryKills,
      leftovers,
    };
  });
  const type = (line: string) => {
    if (ended) return;
    toldToStop ||= stopCommands.includes(line.trim());
    if (!rcon || !replacesConsole) return pty.write(line + ENTER);
    rcon
      .run(line, { timeoutMs: TYPED_TIMEOUT_MS })
      .catch((error: Error) => ended || console.appendNotice(error.message));
  };
  const rconMayCome = () => !ended && readyAt !== undefined && performance.now() - readyAt < RCON_START_MS;
  return {
    ...{ pid: pty.pid, mark, startedAt, isRecovered: orphan !== undefined, linesBefore },
    ...(startedMonotonicMs !== undefined && { startedMonotonicMs }),
    ...{ address, lines, rcon, management, exited, type },
    commands: createGameCommands({ rcon, type, replacesConsole, rconMayCome }),
    markReady() {
      readyAt = performance.now();
      if (!ended) management.start();
    },
    resize(size) {
      if (!ended) pty.resize(size);
    },
    terminate() {
      if (ended || terminated) return;
      terminated = true;
      terminator.noteGroup(pty.pid);
      pty.signal('SIGTERM');
    },
    interrupt() {
      if (!ended) pty.signal('SIGINT');
    },
    kill() {
      killed.abort();
      if (!gone) pty.kill();
    },
    get toldToStop() {
      return toldToStop;
    },
    get hasTerminal() {
      return hasTerminal;
    },
    release() {
      if (ended) throw new GamekeeperError('invalid_state', 'The server has just ended.');
      if (rcon?.isBusy) throw new GamekeeperError('already_in_progress', 'A command over RCON has to end first.');
      pty.release();
      isReleased = true;
      rcon?.close();
      management.close();
    },
    terminalLost() {
      if (ended) return;
      hasTerminal = false;
      console.appendNotice(
        'The process that holds the terminal of this server was killed. Until the next start, the console shows nothing more, and commands work only over RCON.',
      );
    },
  };
}

/** Logs the last line, too, so that nothing is lost if this process is killed once the terminal is gone. */
export function logRest(console: Pick<ConsoleLog, 'endOfOutput' | 'lineNumber'>): void {
  console.endOfOutput();
  console.lineNumber();
}

function startOfNow(): { startedAt: number; startedMonotonicMs?: number } {
  const { epochMs, monotonicMs } = readClocks();
  return { startedAt: epochMs, startedMonotonicMs: monotonicMs };
}
