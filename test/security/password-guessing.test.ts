/**
 * Guessing passwords, for one user or many, in sequence or in parallel, with forged addresses, is slowed down without locking the owner out
 * or overloading the host.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import t from 'tap';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

/** Signs in from an address of the loopback network. */
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

t.test('only the address that guesses is blocked', async (t) => {
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
  t.equal(
    (await signInFrom(gamekeeper, '127.0.0.1', { username: 'ADMIN' })).code,
    'rate_limited',
    'with the name in another case',
  );
  t.equal((await signInFrom(gamekeeper, '127.0.0.2')).code, 'rate_limited', 'from another address of the same machine');
});

t.test('a hundred parallel guesses do not exhaust memory or delay others', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const gateway = processesOf(gamekeeper.home).find(({ command }) => /gateway\/main/.test(command))?.pid ?? 0;
  t.equal((await signInFrom(gamekeeper, '127.0.0.1', { password: gamekeeper.password })).status, 200);
  const before = peakMemoryMb(gateway);
  const flood = Promise.all(
    Array.from({ length: 100 }, (_, n) => signInFrom(gamekeeper, '127.0.0.1', { username: `user-${n}` })),
  );
  const owner = signInFrom(gamekeeper, '127.0.0.1', { password: gamekeeper.password });
  const health = await fetch(new URL('/health', gamekeeper.addresses().panel));
  t.equal(health.status, 200);
  const codes = (await flood).map(({ code }) => code);
  t.same([...new Set(codes)].sort(), ['rate_limited', 'unauthenticated']);
  t.ok(codes.filter((code) => code === 'unauthenticated').length >= 5);
  t.equal((await owner).status, 200, 'an owner who has signed in from there before can sign in');
  const grownMb = peakMemoryMb(gateway) - before;
  t.ok(grownMb < 80, `the gateway grew by ${grownMb.toFixed(0)} MB`);
});
