import { connect } from 'node:net';
import type { Test } from 'tap';

/** An answer as it came over the wire. */
export interface RawAnswer {
  statusCode: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  json(): unknown;
}

export interface RawOptions {
  /** How many answers to wait for, on one connection; without it everything until the other end closes. */
  answers?: number;
  /** Ends our half of the connection once this is sent. */
  halfClose?: boolean;
}

/** Sends bytes to a port of this machine, whatever they are, and returns the answers. The connection is gone with the test. */
export async function rawRequest(
  t: Test,
  port: number,
  bytes: string | Buffer,
  { answers, halfClose = false }: RawOptions = {},
): Promise<RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  socket.setEncoding('latin1');
  if (halfClose) socket.end(bytes);
  else socket.write(bytes);
  let text = '';
  return await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (answers !== undefined && parse(text, false).length >= answers) socket.destroy();
    });
    socket.once('end', () => socket.end());
    socket.once('close', () => resolve(parse(text, true)));
  });
}

/** The complete answers at the beginning of `text`; once the connection is closed, the last one is complete (that to HEAD has no body). */
function parse(text: string, closed: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [status = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    const statusCode = Number(status.split(' ')[1]);
    if (body.length < length && !closed) break;
    if (statusCode !== 100) answers.push({ statusCode, headers, body, json: () => JSON.parse(body) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
