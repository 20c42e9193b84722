import { connect } from 'node:net';
import type { Test } from 'tap';

/** A response as received. */
export interface RawAnswer {
  statusCode: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  json(): unknown;
}

export interface RawOptions {
  /** How many responses to wait for. By default all until the server closes the connection. */
  answers?: number;
  /** Closes our half of the connection after sending. */
  halfClose?: boolean;
}

/** Sends any bytes to a local port. Resolves to the responses. The connection is closed at the end of the test. */
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

/** Returns the complete responses in `text`. After the connection is closed, the last one counts as complete: a response to HEAD has no body. */
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
