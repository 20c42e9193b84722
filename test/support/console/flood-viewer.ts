import { once } from 'node:events';
import WebSocket from 'ws';
import { createFloodTally, type FloodReport } from './flood-tally.ts';

/** A viewer of a console's text that checks a flood as it comes. */
export interface FloodViewer {
  readonly socket: WebSocket;
  report(): FloodReport;
}

/** Opens a console as text, from its first line: one who comes for the newest may come too late for a flood's beginning. */
export async function openFloodViewer(url: string, headers: Record<string, string>): Promise<FloodViewer> {
  const socket = new WebSocket(`${url}?after=0`, { headers });
  const tally = createFloodTally();
  socket.on('message', (data) => {
    // A complete line is never split over two frames (api.md, Console WebSocket).
    for (const line of String(data).split('\r\n').slice(0, -1)) {
      const skipped = SKIPPED.exec(line)?.[1];
      if (skipped === undefined) tally.takeLine(line);
      else tally.takeGap(Number(skipped));
    }
  });
  await once(socket, 'open');
  return { socket, report: tally.report };
}

const SKIPPED = /^\[gamekeeper\] skipped (\d+) lines$/;
