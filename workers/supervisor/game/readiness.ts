import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readClocks } from '../../../shared/node/primitives/clocks.ts';
import { isPortHeldBy } from '../ports/port-holder.ts';
import { processesOf } from '../process/game-processes.ts';
import type { GameProcess } from './game-process.ts';
import type { GameRules } from './game-rules.ts';
import { isSpeech, type LogLine } from './log-prefix.ts';
import { LONGEST_MATCHED_LINE, testLines } from './owner-patterns.ts';

/** A small server is ready after a few of these; two looks a second do not disturb a large one. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
/** A game without any sign that it is ready, where the sockets of other processes cannot be seen. */
const WITHOUT_SIGN_S = 10;

/**
 * Resolves to true when players can join: at the line that matches the pattern, or after the seconds that the rules name. Without either, once
 * the port accepts connections, or a UDP socket of the game has it. Resolves to false when `signal` fires first.
 */
export function whenReady(game: GameProcess, rules: GameRules, signal: AbortSignal): Promise<boolean> {
  const { readyPattern, readyAfterSeconds, definition } = rules;
  if (readyPattern) return readyLine(game, readyPattern, signal);
  if (readyAfterSeconds !== undefined) return hasRunFor(game, readyAfterSeconds, signal);
  const { host, port } = game.address;
  if (definition.gamePort.transport === 'tcp') return repeated(() => accepts(host, port), signal);
  if (process.platform !== 'linux') return hasRunFor(game, WITHOUT_SIGN_S, signal);
  return repeated(() => isBoundBy(game, port), signal);
}

/**
 * True if a line reports that the game is ready. The pattern may match after the log prefix or in the whole line, since owners write either,
 * but never in a player's chat.
 */
export function isReadyLine({ text, message }: LogLine, pattern: RegExp): boolean {
  if (isSpeech(message)) return false;
  return pattern.test(message.slice(0, LONGEST_MATCHED_LINE)) || pattern.test(text.slice(0, LONGEST_MATCHED_LINE));
}

function readyLine({ lines }: GameProcess, pattern: RegExp, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = testLines(
      lines,
      (line) => isReadyLine(line, pattern),
      (isReady) => isReady && finish(true),
    );
    const onAbort = () => finish(false);
    signal.addEventListener('abort', onAbort, { once: true });
    function finish(ready: boolean): void {
      stop();
      signal.removeEventListener('abort', onAbort);
      resolve(ready);
    }
  });
}

/** Counts from the start of the game, which an earlier supervisor may have seen. */
function hasRunFor({ startedMonotonicMs }: GameProcess, seconds: number, signal: AbortSignal): Promise<boolean> {
  const { monotonicMs: now } = readClocks();
  const left = seconds * 1_000 - (now - (startedMonotonicMs ?? now));
  return sleep(Math.max(0, left), true, { signal }).catch(() => false);
}

async function repeated(look: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    if (await look()) return true;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined); // aborted: the loop ends
  }
  return false;
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}

function isBoundBy({ pid, mark }: GameProcess, port: number): Promise<boolean> {
  const pids = () => processesOf({ leader: pid, mark }, { leaderEnded: false }).map((found) => found.pid);
  return isPortHeldBy(pids, { port, transport: 'udp' });
}
