/** The process of one or many viewers of a console. The first checks every line, the others only receive, as fast as they may. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import WebSocket from 'ws';

/** Messages to the viewer. */
export type ViewerOrder =
  | { order: 'connect'; url: string; authorization: string; count: number; bytesPerSecond?: number }
  /** Type the line and expect lines 1 to `lines`. */
  | { order: 'type'; line: string; lines: number };

/** Messages from the viewer. */
export type ViewerNews = { news: 'connected' } | ({ news: 'complete' } & Seen);

export interface Seen {
  lines: number;
  /** Lines that were not the next one. */
  wrong: number;
  /** Delays of the lines that contain the time when they were printed. Milliseconds, ascending. */
  delaysMs: number[];
}

const LF = 0x0a;
const ZERO = 0x30;
const MARK = Buffer.from('\x1b[0mline ');
const NUMBER_DIGITS = 8;
const TIME_MARK = ' at ';
const TIME_DIGITS = 16;
/** How far ahead of its speed a slow viewer may read. */
const PAUSE_MS = 50;

let checked: WebSocket;
let expected = Number.POSITIVE_INFINITY;
let seen: Seen = { lines: 0, wrong: 0, delaysMs: [] };

process.on('message', (message: ViewerOrder) => {
  if (message.order === 'connect') void connect(message);
  else {
    expected = message.lines;
    seen = { lines: 0, wrong: 0, delaysMs: [] };
    checked.send(message.line);
  }
});
process.on('disconnect', () => process.exit());

async function connect(order: Extract<ViewerOrder, { order: 'connect' }>): Promise<void> {
  const { url, authorization, count, bytesPerSecond } = order;
  for (let others = count - 1; others > 0; others--) {
    const socket = await openSocket(new URL(url), authorization);
    if (bytesPerSecond === undefined) socket.resume();
    else drainAt(bytesPerSecond, socket);
  }
  checked = new WebSocket(url, { headers: { authorization }, perMessageDeflate: false });
  checked.on('message', (data) => check(data as Buffer));
  // The newest lines, which are the game's. Lines that are printed before they are read would be missing.
  await once(checked, 'message');
  process.send?.({ news: 'connected' } satisfies ViewerNews);
}

/** Connects without a WebSocket library, whose parser would be the bottleneck. */
async function openSocket({ hostname, port, pathname }: URL, authorization: string): Promise<Socket> {
  const socket = connectTcp(Number(port), hostname);
  const head = {
    host: `${hostname}:${port}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    authorization,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(answer.toString('latin1'));
  return socket;
}

/** Discards what a socket receives, but reads no faster than this. */
function drainAt(bytesPerSecond: number, socket: Socket): void {
  let dueMs = 0;
  socket.on('data', ({ length }) => {
    const now = performance.now();
    dueMs = Math.max(dueMs, now) + (length / bytesPerSecond) * 1_000;
    if (dueMs - now < PAUSE_MS) return;
    socket.pause();
    setTimeout(() => socket.resume(), dueMs - now);
  });
}

function check(frame: Buffer): void {
  for (let start = 0; start < frame.length; ) {
    const end = frame.indexOf(LF, start);
    const at = frame.indexOf(MARK, start);
    if (at >= 0 && at < end) take(frame, at + MARK.length);
    start = end + 1;
  }
  if (seen.lines < expected) return;
  expected = Number.POSITIVE_INFINITY;
  seen.delaysMs.sort((a, b) => a - b);
  process.send?.({ news: 'complete', ...seen } satisfies ViewerNews);
}

function take(frame: Buffer, at: number): void {
  const number = digits(frame, at, NUMBER_DIGITS);
  seen.lines++;
  if (number !== seen.lines) seen.wrong++;
  const timeAt = at + NUMBER_DIGITS;
  if (frame.toString('latin1', timeAt, timeAt + TIME_MARK.length) !== TIME_MARK) return;
  seen.delaysMs.push(
    performance.timeOrigin + performance.now() - digits(frame, timeAt + TIME_MARK.length, TIME_DIGITS) / 1000,
  );
}

function digits(bytes: Buffer, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) value = value * 10 + bytes[at]! - ZERO;
  return value;
}
