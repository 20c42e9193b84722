import type { WebSocket } from 'ws';

/** Routers forget quiet connections after a minute or more. */
const PING_EVERY_MS = 25_000;
/** Spreads the pings of many daemons. */
const JITTER = 0.2;
const ANSWER_WITHIN_MS = 10_000;

export interface HeartbeatOptions {
  onLatency: (ms: number) => void;
  /** Nothing was heard for too long. */
  onSilence: () => void;
  pingEveryMs?: number;
  answerWithinMs?: number;
}

/** Pings the proxy until the socket closes. While data arrives the proxy is alive, even if its answer waits behind it. */
export function startHeartbeat(
  socket: WebSocket,
  { onLatency, onSilence, pingEveryMs = PING_EVERY_MS, answerWithinMs = ANSWER_WITHIN_MS }: HeartbeatOptions,
): void {
  let pingedAt = 0;
  let heard = true;
  let timer: NodeJS.Timeout;

  function ping(): void {
    heard = false;
    pingedAt = performance.now();
    socket.ping();
    timer = setTimeout(look, answerWithinMs);
  }
  function look(): void {
    const restMs = pingEveryMs * (1 + JITTER * (2 * Math.random() - 1)) - answerWithinMs;
    if (heard) timer = setTimeout(ping, Math.max(0, restMs));
    else onSilence();
  }

  socket.on('message', () => {
    heard = true;
  });
  socket.on('pong', () => {
    heard = true;
    onLatency(performance.now() - pingedAt);
  });
  socket.once('close', () => clearTimeout(timer));
  ping();
}
