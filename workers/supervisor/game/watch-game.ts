import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../own-process/process-log.ts';
import type { GameExit, GameProcess } from './game-process.ts';
import { type GameRecord, keepRecord, type RecordedGame } from './game-record.ts';
import type { GameRules } from './game-rules.ts';
import { isSpeech, type LogLine } from './log-prefix.ts';
import { LONGEST_MATCHED_LINE, testLines } from './owner-patterns.ts';

/** A small server is ready after a few of these; two connections a second do not disturb a large one. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;

export type GameEnd = GameExit & { wasReady: boolean };

/** Returns how a process ended, in words. Only the supervisor that started it knows. */
export function howItEnded({ exitCode, signal }: GameEnd): string {
  if (signal === null && exitCode === null) return '';
  return ` (${signal ?? `exit code ${exitCode}`})`;
}

/** A game process that is watched until its end. */
export interface GameRun {
  game: GameProcess;
  rules: GameRules;
  /** Resolves once a later supervisor would find the game: by its process, or by its mark while the record cannot be written. */
  recorded: Promise<void>;
  /** Never rejects. */
  end: Promise<GameEnd>;
}

export interface WatchOptions {
  rules: GameRules;
  record: GameRecord;
  recorded: RecordedGame;
  log: Log;
  /** Called when players can join, unless the game was ready before. */
  onReady: () => void;
}

/** Keeps the game's record and notices when the game is ready and when it ends. */
export function watchGame(game: GameProcess, options: WatchOptions): GameRun {
  const { rules, record, log, onReady } = options;
  const over = new AbortController();
  let wasReady = options.recorded.ready;
  const kept = keepRecord(() => record.write({ ...options.recorded, ready: wasReady }), log);
  const recorded = kept.update();
  const onLooked = (isReady: boolean) => {
    if (!isReady) return;
    wasReady = true;
    game.markReady();
    // Recorded first: the next supervisor must know that viewers have seen the server ready.
    void kept.update().then(onReady);
  };
  if (!wasReady) void whenReady(game, rules.readyPattern, over.signal).then(onLooked);
  const end = game.exited.then(async (exit) => {
    over.abort();
    await kept.end();
    await record
      .clear()
      .catch((error: unknown) => log('warn', 'the record of an ended game could not be removed', { error }));
    return { ...exit, wasReady };
  });
  return { game, rules, recorded, end };
}

/**
 * Resolves to true when players can join: at the line that matches the pattern, or without a pattern once the port accepts connections.
 * Resolves to false when `signal` fires first.
 */
function whenReady(game: GameProcess, pattern: RegExp | undefined, signal: AbortSignal): Promise<boolean> {
  return pattern ? readyLine(game, pattern, signal) : portAccepts(game.address, signal);
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

async function portAccepts({ host, port }: { host: string; port: number }, signal: AbortSignal): Promise<boolean> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    if (await accepts(host, port)) return true;
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

/**
 * True if a line reports that the game is ready. The pattern may match after the log prefix or in the whole line, since owners write either,
 * but never in a player's chat.
 */
export function isReadyLine({ text, message }: LogLine, pattern: RegExp): boolean {
  if (isSpeech(message)) return false;
  return pattern.test(message.slice(0, LONGEST_MATCHED_LINE)) || pattern.test(text.slice(0, LONGEST_MATCHED_LINE));
}
