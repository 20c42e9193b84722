import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A client that takes nothing for this long counts as gone. */
const STALLED_MS = 60_000;

/**
 * Closes connections on which an answer has been waiting for its client for a minute and nothing was taken meanwhile: it costs memory, and
 * keeps open files and places for work. Node itself limits only how long a request may take.
 */
export function closeStalled(server: Server, stalledMs = STALLED_MS): void {
  server.setTimeout(stalledMs, (socket: Socket & { _httpMessage?: ServerResponse | null }) => {
    // Without a request, this is the end of the keep-alive. Else a request may take as long as its work does.
    if (!socket._httpMessage || socket.writableLength > 0) socket.destroy();
  });
}
