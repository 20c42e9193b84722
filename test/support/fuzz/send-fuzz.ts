import { type Agent, type IncomingMessage, request } from 'node:http';
import type { DescribedOperation } from '../openapi/described-operations.ts';
import type { FuzzAnswer } from './answer-faults.ts';
import type { Caller, FuzzRequest } from './fuzz-request.ts';

/** Where fuzzed requests go, and what there is. */
export interface FuzzTarget {
  port: number;
  agent: Agent;
  /** Headers that make a request this caller's. */
  credentials(caller: Caller, operation: DescribedOperation): Record<string, string>;
  /** The values that exist for a parameter of a path, at this moment. */
  known(name: string, operation: DescribedOperation): readonly string[];
}

/** An answer that has not come by then never comes. */
const PATIENCE_MS = 60_000;

/** The address of a fuzzed request, as it goes over the wire. */
export function addressOf(operation: DescribedOperation, { path, query }: FuzzRequest, target: FuzzTarget): string {
  const filled = Object.entries(path).reduce((url, [name, value]) => {
    const known = 'known' in value ? target.known(name, operation) : [];
    const text = 'known' in value ? (known[value.known % Math.max(1, known.length)] ?? 'nothing') : value.text;
    return url.replace(`{${name}}`, () => encoded(text));
  }, operation.path);
  const pairs = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return `${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** Sends it; a stream of events is left as soon as it begins. Rejects when there is no answer. */
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

/** Also what a browser would refuse to send: a lone surrogate has no UTF-8, and stands for itself as U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
