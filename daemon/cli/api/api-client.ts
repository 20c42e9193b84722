import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import type { ErrorResponse } from '../../../shared/errors/error-response.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { requirePrivateFolder } from '../../../shared/node/ipc/socket-folder.ts';
import { Failure, notRunning, refused } from './failure.ts';

/** A gateway that crashed is back within a second. Milliseconds. */
const GATEWAY_ABSENCE_MS = 5_000;
const RETRY_EVERY_MS = 100;

export interface Answer<T> {
  status: number;
  headers: IncomingMessage['headers'];
  body: T;
}

export interface RequestOptions {
  body?: object;
  headers?: Record<string, string>;
  /** A file to send instead of JSON. A request with one is not repeated. */
  upload?: Readable;
}

/** The HTTP API as the local administrator, over the gateway's private socket. */
export interface Api {
  /** Resolves to a 2xx answer, with JSON parsed. Throws a Failure with the API's own text for any other. */
  request<T>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>>;
  /** Resolves to the content of a 2xx answer, as it comes. */
  open(path: string): Promise<IncomingMessage>;
}

export function createApi(home: Home): Api {
  const ask = (request: RequestOptions & { method: string; path: string }) =>
    whileGatewayIsAbsent(home, () => send(home.gatewaySocket, request));
  return {
    async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
      const response = await ask({ method, path, ...options });
      const { statusCode: status = 0, headers } = response;
      if (!isSuccess(response)) throw await failureOf(response);
      const content = await text(response);
      const body: unknown = content && isJson(response) ? JSON.parse(content) : content;
      return { status, headers, body: body as T };
    },
    async open(path) {
      const response = await ask({ method: 'GET', path });
      if (!isSuccess(response)) throw await failureOf(response);
      return response;
    },
  };
}

function isSuccess({ statusCode: status = 0 }: IncomingMessage): boolean {
  return status >= 200 && status < 300;
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.includes('json') ?? false;
}

async function failureOf(response: IncomingMessage): Promise<Failure> {
  const content = await text(response);
  if (isJson(response)) return refused(JSON.parse(content) as ErrorResponse);
  const { statusCode: status = 0, statusMessage = '' } = response;
  return new Failure(`Unexpected answer: ${status} ${statusMessage}: ${content.slice(0, 200)}`);
}

/**
 * Repeats `attempt` while the daemon lives but its gateway restarts. Only failures to connect are repeated, so nothing is sent twice. Throws
 * the Failure "not running" if there is no daemon.
 */
export async function whileGatewayIsAbsent<T>(home: Home, attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + GATEWAY_ABSENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAbsence(error)) throw error;
      if (!(await answers(home.daemonSocket))) throw notRunning(error);
      if (performance.now() > deadline)
        throw new Failure(`Gamekeeper is running, but its gateway does not answer. See ${home.logs}/gateway.log.`, {
          cause: error,
        });
      await delay(RETRY_EVERY_MS);
    }
  }
}

async function send(
  socketPath: string,
  { method, path, body, headers, upload }: RequestOptions & { method: string; path: string },
): Promise<IncomingMessage> {
  await requirePrivateFolder(socketPath);
  const content = body === undefined ? undefined : JSON.stringify(body);
  const request = httpRequest({
    socketPath,
    method,
    path,
    agent: false,
    headers: {
      host: 'localhost',
      ...(content !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(content),
      }),
      ...headers,
    },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  if (upload) {
    // An early refusal ends the upload; then the answer says why.
    pipeline(upload, request).catch((error: unknown) => request.destroy(error as Error));
  } else request.end(content);
  const [response] = await answered;
  return response;
}

/** Returns whether nothing serves the socket. */
export function isAbsence(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ECONNREFUSED');
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
