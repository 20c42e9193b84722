import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { type Home, homeAt } from '../../../shared/node/files/home.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

/** A request to the gateway. */
export interface Asked {
  method: string;
  path: string;
  body: unknown;
  headers: IncomingMessage['headers'];
}

export interface FakeAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A home with a server on the gateway's socket that records its requests. */
export async function fakeGateway(t: Test, answer: (asked: Asked) => FakeAnswer) {
  const home = homeAt(temporaryFolder(t));
  await mkdir(home.run);
  const asked: Asked[] = [];
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await text(request);
    const { method = '', url = '', headers } = request;
    const question = { method, path: url, body: content ? JSON.parse(content) : undefined, headers };
    asked.push(question);
    const { status = 200, body = {}, headers: extra } = answer(question);
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type, ...extra }).end(JSON.stringify(body));
  }
  const server = createServer((request, response) => void handle(request, response));
  server.listen(home.gatewaySocket);
  await once(server, 'listening');
  t.teardown(async () => {
    server.close();
    await rm(home.gatewaySocket, { force: true });
  });
  return { home, asked, server };
}

const PROGRAM = path.join(import.meta.dirname, '../../../daemon/cli/main.ts');

/** Runs the command line from its sources, without a terminal. */
export async function gamekeeper(
  home: Home,
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, GAMEKEEPER_HOME: home.root, ...env },
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
