/**
 * The process of a viewer that stops reading and later resumes. It accounts for every line of every flood, including those announced as
 * skipped.
 */
import { once } from 'node:events';
import WebSocket from 'ws';

/** Messages to the viewer. `lines` is the length of each flood. */
export type StallOrder =
  | { order: 'connect'; url: string; authorization: string; lines: number }
  | { order: 'stall' }
  | { order: 'resume' }
  /** Report once this many floods since the connection have been accounted for. */
  | { order: 'report'; floods: number };

/** Messages from the viewer. */
export type StallNews = 'connected' | Account;

export interface Account {
  /** Whether the connection was never lost. */
  connected: boolean;
  /** Lines received. */
  lines: number;
  /** Lines announced as skipped. */
  skipped: number;
  /** Lines received that were not the next one. */
  wrong: number;
}

const NUMBERED = /line (\d{8}) of a flood/;
const SKIPPED = /^\[gamekeeper\] skipped (\d+) lines$/;

let socket: WebSocket | undefined;
const account: Account = { connected: true, lines: 0, skipped: 0, wrong: 0 };
/** Lines of one flood, including the echo of the command that starts it. */
let perFlood = 0;
/** Position of the last line: that of line n of flood f is f * perFlood + n, where line 0 is the echo. Lines from before are flood 0. */
let place: number | undefined;
let wantedPlace = Number.POSITIVE_INFINITY;

process.on('message', (message: StallOrder) => {
  if (message.order === 'connect') void connect(message);
  else if (message.order === 'stall') socket?.pause();
  else if (message.order === 'resume') socket?.resume();
  else {
    wantedPlace = (message.floods + 1) * perFlood - 1;
    reportWhenDone();
  }
});
process.on('disconnect', () => process.exit());

async function connect({ url, authorization, lines }: Extract<StallOrder, { order: 'connect' }>): Promise<void> {
  perFlood = lines + 1;
  socket = new WebSocket(url, { headers: { authorization }, perMessageDeflate: false });
  socket.on('message', (data) => {
    for (const line of String(data).split('\r\n').slice(0, -1)) take(line);
    reportWhenDone();
  });
  socket.on('close', () => {
    account.connected = false;
    reportWhenDone();
  });
  await once(socket, 'message');
  process.send?.('connected' satisfies StallNews);
}

function take(line: string): void {
  const skipped = SKIPPED.exec(line)?.[1];
  if (skipped !== undefined) {
    account.skipped += Number(skipped);
    if (place !== undefined) place += Number(skipped);
    return;
  }
  const number = Number(NUMBERED.exec(line)?.[1] ?? 0);
  account.lines++;
  place = place === undefined ? number : place + 1;
  if (place % perFlood !== number) account.wrong++;
}

function reportWhenDone(): void {
  if (wantedPlace === Number.POSITIVE_INFINITY || ((place ?? 0) < wantedPlace && account.connected)) return;
  process.send?.(account satisfies StallNews);
  wantedPlace = Number.POSITIVE_INFINITY;
}
