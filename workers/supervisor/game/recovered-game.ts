import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { retry } from '../../../shared/node/primitives/retry.ts';
import { isAlive } from '../../../shared/node/processes/process-identity.ts';
import type { PreparedFolder } from '../folder/prepare-folder.ts';
import { ManagementSession } from '../management/management-session.ts';
import type { Log } from '../own-process/process-log.ts';
import { killGame, sendSignal } from '../process/game-processes.ts';
import { RconError } from '../rcon/rcon-error.ts';
import { createRconSession } from '../rcon/session.ts';
import type { RconTally } from '../rcon/tally.ts';
import { endRemnants, type Game } from './game.ts';
import { type Delivery, type GameCommands, type Rcon, wasNotSent } from './game-commands.ts';
import type { LeftGame } from './game-record.ts';
import { LineFeed } from './line-feed.ts';
import { parseLogLine } from './log-prefix.ts';
import { followLogFile } from './log-tail.ts';

/** Nobody tells us when a process ends that we have not started; where there is no /proc, looking costs a process. */
const LOOK_MS = process.platform === 'linux' ? 250 : 2_000;
/** So many lines in a row tell a place in a log from others. */
const KNOWN_LINES = 3;
/** How long a line that was typed may take over RCON. */
const TYPED_TIMEOUT_MS = 120_000;
/**
 * A server's word that it stops: vanilla's, and of whoever had it stop (`[Eve: Stopping the server]`), and Velocity's. One that crashes
 * says it as well.
 */
const STOPPING = /^(?:\[[^\]:]{1,40}: )?Stopping (?:the )?server\]?\.*$|^Shutting down the proxy/;
const CRASHING =
  /^Encountered an unexpected exception|^Considering it to be crashed|^The server has stopped responding!/;
const LAST_WORDS = ['Stopping', 'Shutting down the proxy', 'Encountered an', 'Considering it', 'stopped responding'];

/** Marks what we print ourselves. */
const NOTICE = '[gamekeeper] ';

export interface RecoveredGameOptions {
  left: LeftGame;
  folder: PreparedFolder;
  /** The server's own folder. */
  directory: string;
  /** Its owner's variables. */
  env: Readonly<Record<string, string>>;
  rconTally: RconTally;
  /** As for any other game. */
  stopGraceMs: number;
  /** The console as it ended with the supervisor before: plain, redacted lines, oldest first. */
  lastLines: readonly string[];
  redact: (text: string) => string;
  onOutput: (bytes: Buffer) => void;
  hideSecret: (secret: string) => void;
  log: Log;
}

/**
 * A game that goes on without its terminal, whose supervisor was killed: what it logs is read from its own logs/latest.log, commands go
 * over RCON, players are managed over its management protocol, and signals end it. Its terminal is lost for good, since only the process that made it could read it.
 */
export function recoverGame(options: RecoveredGameOptions): Game {
  const { left, folder, directory, rconTally, lastLines, redact, onOutput } = options;
  const processes = { leader: left.pid, mark: left.mark };
  const lines = new LineFeed();
  const rcon = folder.rcon && createRconSession({ ...folder.rcon, tally: rconTally });
  const management = new ManagementSession({ ...options, folder: directory, lines });
  if (left.ready) management.start();
  const over = new AbortController();
  let saidSo: 'stops' | 'crashes' | undefined;
  lines.onLineWith(LAST_WORDS, ({ message }) => {
    if (CRASHING.test(message)) saidSo = 'crashes';
    else if (STOPPING.test(message)) saidSo ??= 'stops';
  });
  const show = (bytes: Buffer) => {
    onOutput(bytes);
    lines.push(bytes);
  };
  const reading = followLogFile({
    file: path.join(directory, 'logs', 'latest.log'),
    firstNew(logged) {
      const first = firstNewLine(logged, { lastLines, redact });
      // That it is ready may have been said, and shown, without having been noticed.
      if (!left.ready) lines.push(Buffer.from(`${logged.slice(0, first).join('\n')}\n`));
      return first;
    },
    onLines: show,
    signal: over.signal,
  });
  let gone = false;
  const exited = whenEnded(left, options.log).then(async () => {
    rcon?.close();
    management.close();
    await endRemnants(processes, options.stopGraceMs);
    // A last look at what it said at the end.
    await sleep(LOOK_MS);
    over.abort();
    await reading;
    gone = true;
    return { exitCode: null, signal: null, hasSaidSo: saidSo === 'stops', outOfMemoryKills: false };
  });
  const commands = commandsOver(rcon);
  return {
    pid: left.pid,
    startedAt: left.startedAt,
    isRecovered: true,
    folder,
    lines,
    rcon,
    management,
    commands,
    exited,
    gotReady: () => management.start(),
    type(line) {
      const answered = commands.send(line, { timeoutMs: TYPED_TIMEOUT_MS });
      const say = (text: string) => text === '' || gone || onOutput(Buffer.from(`${text}\n`));
      answered.then(
        (delivery) => say(delivery.via === 'rcon' ? delivery.answer : ''),
        (error: Error) => say(`${NOTICE}${error.message}`),
      );
    },
    resize: () => undefined,
    signal(name) {
      if (!gone) sendSignal(-left.pid, name);
    },
    kill() {
      if (!gone) killGame(processes, { leaderEnded: false });
    },
  };
}

/**
 * Which line of a server's log comes first behind those that the console has shown already: the last place where it says the same as the
 * console's end. Prefixes differ between the two. None is new where there is no such place.
 */
export function firstNewLine(
  logged: readonly string[],
  { lastLines, redact }: Pick<RecoveredGameOptions, 'lastLines' | 'redact'>,
): number {
  const known = lastLines
    .filter((line) => !line.startsWith(NOTICE))
    .slice(-KNOWN_LINES)
    .map((line) => parseLogLine(line).message);
  if (known.length === 0) return logged.length;
  const messages = logged.map((line) => redact(parseLogLine(line).message));
  for (let end = messages.length; end >= known.length; end--) {
    if (known.every((message, index) => messages[end - known.length + index] === message)) return end;
  }
  return logged.length;
}

async function whenEnded(left: LeftGame, log: Log): Promise<void> {
  const onFailure = (error: unknown) => log('warn', 'whether the game goes on cannot be seen', { error });
  while (await retry(() => isAlive(left), { onFailure })) await sleep(LOOK_MS);
}

/** What RCON does not take cannot be typed instead. */
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
      // Taken, though not answered: a server that stops may be gone before its answer is out.
      if (cause instanceof RconError && !wasNotSent(cause)) return { via: 'rcon', answer: '' };
      throw error;
    }
  }

  return {
    send,
    insist,
    type: (command) => void send(command, { timeoutMs: TYPED_TIMEOUT_MS }).catch(() => undefined), // nobody waits for it
  };
}

function unreachable(why: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('rcon_unavailable', `${why}, and its console was lost with an earlier process of ours.`, {
    resolution: 'Stop still works, by a signal at which the server saves. The console is back with the next start.',
    cause,
  });
}
