import { once } from 'node:events';
import WebSocket from 'ws';
import { createFloodTally, type FloodReport } from './flood-tally.ts';

/** A console viewer that checks a flood as it arrives. */
export interface FloodViewer {
  readonly socket: WebSocket;
  report(): FloodReport;
}

/** Opens a console as text, from its first line, so that the beginning of the flood is not missed. */
export async function openFloodViewer(url: string, headers: Record<string, string>): Promise<FloodViewer> {
  const socket = new WebSocket(`${url}?after=0`, { headers });
  const tally = createFloodTally();
  socket.on('message', (data) => {
    // The gateway never splits a complete line over two frames.
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
