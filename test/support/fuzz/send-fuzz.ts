import { type Agent, type IncomingMessage, request } from 'node:http';
import type { DescribedOperation } from '../openapi/described-operations.ts';
import type { FuzzAnswer } from './answer-faults.ts';
import type { Caller, FuzzRequest } from './fuzz-request.ts';

/** The target of fuzzed requests. */
export interface FuzzTarget {
  port: number;
  agent: Agent;
  /** Returns the headers with the caller's credentials. */
  credentials(caller: Caller, operation: DescribedOperation): Record<string, string>;
  /** Returns the existing values of a path parameter. */
  known(name: string, operation: DescribedOperation): readonly string[];
}

/** A request without a response after this time hangs. A copy waits for a server that stops, which may take a minute, and for other jobs. */
const PATIENCE_MS = 150_000;

/** Returns the path and query of a fuzzed request as sent. */
export function addressOf(operation: DescribedOperation, { path, query }: FuzzRequest, target: FuzzTarget): string {
  const filled = Object.entries(path).reduce((url, [name, value]) => {
    const known = 'known' in value ? target.known(name, operation) : [];
    const text = 'known' in value ? (known[value.known % Math.max(1, known.length)] ?? 'nothing') : value.text;
    return url.replace(`{${name}}`, () => encoded(text));
  }, operation.path);
  const pairs = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return `${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** Sends a request. Closes an event stream as soon as it begins. Throws if there is no response. */
export function sendFuzz(
  operation: DescribedOperation,
  fuzz: FuzzRequest,
  { target, address }: { target: FuzzTarget; address: string },
): Promise<FuzzAnswer> {
  const headers: Record<string, string> = {
    ...fuzz.headers,
    ...(fuzz.body && { 'content-type': fuzz.body.type, 'content-length': String(Buffer.byteLength(fuzz.body.text)) }),
    ...target.credentials(fuzz.caller, operation),
  };
  const options = {
    host: '127.0.0.1',
    port: target.port,
    agent: target.agent,
    method: operation.method,
    path: address,
    headers,
    timeout: PATIENCE_MS,
  };
  return new Promise((resolve, reject) => {
    const sending = request(options, (response) => {
      collect(response).then((body) => {
        const found = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(found), body });
      }, reject);
    });
    sending.once('timeout', () => sending.destroy(new Error('no answer')));
    sending.once('error', reject);
    sending.end(fuzz.body?.text);
  });
}

async function collect(response: IncomingMessage): Promise<string> {
  if (response.headers['content-type'] === 'text/event-stream') {
    response.destroy();
    return '';
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Encodes any text. A lone surrogate has no UTF-8 encoding and becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
