import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GameProcess } from './game-process.ts';
import { isReadyLine } from './line-patterns.ts';

/** A small server is ready after a few of these; a large one is not disturbed by two connections a second. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * Resolves to true when players can join: at the line that matches the pattern, or without a pattern once the port accepts connections.
 * Resolves to false when `signal` fires first.
 */
export function whenReady(game: GameProcess, pattern: RegExp | undefined, signal: AbortSignal): Promise<boolean> {
  return pattern ? readyLine(game, pattern, signal) : portAccepts(game.address, signal);
}

function readyLine({ lines }: GameProcess, pattern: RegExp, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = lines.onLine((line) => {
      if (isReadyLine(line, pattern)) finish(true);
    });
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
