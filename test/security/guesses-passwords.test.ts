/**
 * Passwords are guessed: many for one user, many users, many at once, from addresses that are made up. The guesser is slowed down, the
 * owner is not kept out, and the host goes on.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import t from 'tap';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

/** A sign-in from an address of this machine's loopback network. */
async function signInFrom(
  { addresses }: Gamekeeper,
  localAddress: string,
  {
    username = 'admin',
    password = 'a guess',
    headers = {},
  }: { username?: string; password?: string; headers?: object } = {},
) {
  const { port } = new URL(addresses().panel);
  const content = JSON.stringify({ username, password });
  const asked = request({
    ...{ host: '127.0.0.1', port, localAddress, method: 'POST', path: '/api/login', agent: false },
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content), ...headers },
  });
  asked.end(content);
  const [response] = (await new Promise<unknown[]>((resolve, reject) => {
    asked.once('response', (...args) => resolve(args));
    asked.once('error', reject);
  })) as [import('node:http').IncomingMessage];
  const body = (await json(response)) as { code?: string };
  return { status: response.statusCode ?? 0, code: body.code, headers: response.headers };
}

function peakMemoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

t.test('who guesses is stopped, and nobody else', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  for (let n = 0; n < 5; n++) t.equal((await signInFrom(gamekeeper, '127.0.0.1')).code, 'unauthenticated');
  const locked = await signInFrom(gamekeeper, '127.0.0.1', { password: gamekeeper.password });
  t.same([locked.status, locked.code], [429, 'rate_limited']);
  const seconds = Number(locked.headers['retry-after']);
  t.ok(seconds > 800 && seconds <= 900, `after ${seconds} s`);
  for (const [name, value] of [
    ['x-forwarded-for', '203.0.113.9'],
    ['forwarded', 'for=203.0.113.9'],
    ['x-real-ip', '203.0.113.9'],
    ['client-ip', '203.0.113.9'],
  ])
    t.equal(
      (await signInFrom(gamekeeper, '127.0.0.1', { headers: { [name ?? '']: value } })).code,
      'rate_limited',
      `${name} is not believed`,
    );
  t.equal((await signInFrom(gamekeeper, '127.0.0.1', { username: 'ADMIN' })).code, 'rate_limited', 'nor another case');
  const owner = await signInFrom(gamekeeper, '127.0.0.2', { password: gamekeeper.password });
  t.equal(owner.status, 200, 'the owner signs in from elsewhere');
  t.equal((await signInFrom(gamekeeper, '127.0.0.1')).code, 'rate_limited', 'which does not forgive the guesser');
});

t.test('a hundred guesses at once take neither the memory nor the answers of others', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const gateway = processesOf(gamekeeper.home).find(({ command }) => /gateway\/main/.test(command))?.pid ?? 0;
  await signInFrom(gamekeeper, '127.0.0.3');
  const before = peakMemoryMb(gateway);
  const flood = Promise.all(
    Array.from({ length: 100 }, (_, n) => signInFrom(gamekeeper, '127.0.0.1', { username: `user-${n}` })),
  );
  const owner = signInFrom(gamekeeper, '127.0.0.2', { password: gamekeeper.password });
  const health = await fetch(new URL('/health', gamekeeper.addresses().panel));
  t.equal(health.status, 200);
  const codes = (await flood).map(({ code }) => code);
  t.same([...new Set(codes)].sort(), ['rate_limited', 'unauthenticated']);
  t.ok(codes.filter((code) => code === 'unauthenticated').length >= 10);
  t.equal((await owner).status, 200, 'an owner elsewhere waits for a turn and gets it');
  const grownMb = peakMemoryMb(gateway) - before;
  t.ok(grownMb < 80, `the gateway grew by ${grownMb.toFixed(0)} MB`);
});
