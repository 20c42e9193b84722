import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOTICE_PREFIX } from '../../../shared/domain/console/notice-prefix.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { createCommandSession } from '../admin/open-session.ts';
import { ManagementSession } from '../management/management-session.ts';
import { endProcesses, Terminator } from '../process/end-processes.ts';
import { killGame, processesOf, sendSignal } from '../process/game-processes.ts';
import { findSuspects } from '../process/suspects.ts';
import { RconError, wasNotSent } from '../rcon/rcon-error.ts';
import type { Delivery, GameCommands, Rcon } from './game-commands.ts';
import type { GameAddress, GameProcess, GameServices } from './game-process.ts';
import { type OrphanedGame, whenEnded } from './game-record.ts';
import { watchLastWords } from './last-words.ts';
import { LineFeed } from './line-feed.ts';
import { parseLogLine } from './log-prefix.ts';
import { followLogFile } from './log-tail.ts';

/** How long the last lines of the log may take. Milliseconds. */
const LAST_LINES_MS = 250;
/** This many lines in a row identify a place in a log. */
const KNOWN_LINES = 3;
const TYPED_TIMEOUT_MS = 120_000;
/** What the console has of a game's output. */
export interface ShownLines {
  /** The last lines of the console: plain, redacted, oldest first. */
  lastLines: readonly string[];
  /** Those of them that the game printed. */
  ofGame: readonly string[];
  /** True if none of them is the game's: its supervisor died before it printed anything. */
  hasNoneOfGame: boolean;
}

export interface RecoveredGameOptions {
  orphan: OrphanedGame;
  address: GameAddress;
  directory: string;
  env: Readonly<Record<string, string>>;
  shown: Pick<ShownLines, 'lastLines' | 'hasNoneOfGame'>;
  services: GameServices;
}

/**
 * Controls a game that survived its supervisor and has lost its terminal: on macOS, or because the process that held it was killed. Instead,
 * output comes from its own logs/latest.log, commands go over RCON, players are managed over its management protocol, and signals end it.
 */
export function recoverGame({ orphan, address, directory, env, shown, services }: RecoveredGameOptions): GameProcess {
  const { home, console, rconTally, stopGraceMs, log } = services;
  const processes = { leader: orphan.pid, mark: orphan.mark };
  const lines = new LineFeed();
  const rcon = address.rcon && createCommandSession(address.rcon, rconTally);
  const hideSecret = (secret: string) => console.hideSecrets([secret]);
  const management = new ManagementSession({ folder: directory, env, lines, hideSecret, log });
  if (orphan.ready) management.start();
  const hasAnnouncedStop = watchLastWords(lines);
  const over = new AbortController();
  const reading = followLogFile({
    file: path.join(directory, 'logs', 'latest.log'),
    folder: directory,
    firstNew(logged) {
      const first = firstNewLine(logged, { ...shown, redact: (text) => console.redact(text) });
      // The ready line may be among the lines that the console already has, without having been noticed.
      if (!orphan.ready) lines.push(Buffer.from(`${logged.slice(0, first).join('\n')}\n`));
      return first;
    },
    onLines(bytes) {
      console.append(bytes);
      lines.push(bytes);
    },
    signal: over.signal,
  });
  const terminator = new Terminator();
  const killed = new AbortController();
  let ended = false;
  let gone = false;
  let terminated = false;
  const exited = whenEnded(orphan, log).then(async () => {
    ended = true;
    rcon?.close();
    management.close();
    const stuck = await endProcesses(() => processesOf(processes, { leaderEnded: true }), {
      graceMs: stopGraceMs(),
      terminator,
      notice: (text) => console.appendNotice(text),
      hurry: killed.signal,
    });
    await sleep(LAST_LINES_MS);
    over.abort();
    await reading;
    gone = true;
    const leftovers = [...stuck, ...findSuspects(directory, { sinceTicks: Number(orphan.startTime) || 0, home })];
    return { exitCode: null, signal: null, announcedStop: hasAnnouncedStop(), outOfMemoryKills: false, leftovers };
  });
  const commands = commandsOver(rcon);
  return {
    ...{ pid: orphan.pid, mark: orphan.mark, startedAt: orphan.startedAt },
    ...{ isRecovered: true, hasTerminal: false, toldToStop: false, linesBefore: orphan.linesBefore },
    ...(orphan.startedMonotonicMs !== undefined && { startedMonotonicMs: orphan.startedMonotonicMs }),
    ...{ address, lines, rcon, management, commands, exited },
    markReady: () => management.start(),
    type(line) {
      const show = (text: string) => text === '' || gone || console.append(Buffer.from(`${text}\n`));
      commands.send(line, { timeoutMs: TYPED_TIMEOUT_MS }).then(
        (delivery) => show(delivery.via === 'rcon' ? delivery.answer : ''),
        (error: Error) => gone || console.appendNotice(error.message),
      );
    },
    resize: () => undefined,
    terminate() {
      if (ended || terminated) return;
      terminated = true;
      terminator.noteGroup(orphan.pid);
      sendSignal(-orphan.pid, 'SIGTERM');
    },
    interrupt() {
      if (!ended) sendSignal(-orphan.pid, 'SIGINT');
    },
    kill() {
      killed.abort();
      if (!gone) killGame(processes, { leaderEnded: ended });
    },
    terminalLost: () => undefined,
    release() {
      throw new GamekeeperError('invalid_state', 'Its terminal was lost, so another supervisor cannot take over now.');
    },
  };
}

/**
 * Returns the index of the first line of a server's log that the console does not have yet: the one after the last place that matches the
 * end of the console. Prefixes differ between the two. Without such a place all lines are new if the console has none of the game, and none
 * otherwise.
 */
export function firstNewLine(
  logged: readonly string[],
  {
    lastLines,
    hasNoneOfGame,
    redact,
  }: Pick<ShownLines, 'lastLines' | 'hasNoneOfGame'> & { redact: (text: string) => string },
): number {
  const known = lastLines
    .filter((line) => !line.startsWith(NOTICE_PREFIX))
    .slice(-KNOWN_LINES)
    .map((line) => parseLogLine(line).message);
  const without = hasNoneOfGame ? 0 : logged.length;
  if (known.length === 0) return without;
  const messages = logged.map((line) => redact(parseLogLine(line).message));
  for (let end = messages.length; end >= known.length; end--) {
    if (known.every((message, index) => messages[end - known.length + index] === message)) return end;
  }
  return without;
}

/** Without a terminal there is no fallback to typing. */
function commandsOver(rcon: Rcon | undefined): GameCommands {
  async function send(command: string, options: { timeoutMs: number }): Promise<Delivery> {
    if (!rcon) throw unreachable('The server has no RCON');
    try {
      return { via: 'rcon', answer: await rcon.run(command, options) };
    } catch (error) {
      if (!(error instanceof RconError)) throw error;
      throw unreachable(error.message, error);
    }
  }

  async function insist(command: string, options: { timeoutMs: number }): Promise<Delivery> {
    try {
      return await send(command, options);
    } catch (error) {
      const { cause } = error as Error;
      // Sent but not answered: a server that stops may exit before it sends its answer.
      if (cause instanceof RconError && !wasNotSent(cause)) return { via: 'rcon', answer: '' };
      throw error;
    }
  }

  return {
    send,
    insist,
    type: (command) => void send(command, { timeoutMs: TYPED_TIMEOUT_MS }).catch(() => undefined), // no caller waits for it
  };
}

function unreachable(why: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('rcon_unavailable', `${why}, and its console was lost when its supervisor ended.`, {
    resolution:
      'You can still stop the server; it saves when it gets the signal. The console is back after the next start.',
    cause,
  });
}
