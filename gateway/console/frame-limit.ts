import type { WebSocket } from 'ws';

/** Frames of any kind in a second. What types, or pastes, stays far below; each costs a turn of everybody's event loop. */
const MOST_PER_SECOND = 1_000;

/** Calls `onFlood`, once, when the other end sends more frames than anybody needs: commands, pings, pongs nobody asked for. */
export function limitFrames(socket: WebSocket, onFlood: () => void): void {
  let second = 0;
  let count = 0;
  const note = () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) count = 0;
    second = now;
    if (++count <= MOST_PER_SECOND) return;
    for (const kind of KINDS) socket.off(kind, note);
    onFlood();
  };
  for (const kind of KINDS) socket.on(kind, note);
}

const KINDS = ['message', 'ping', 'pong'] as const;
