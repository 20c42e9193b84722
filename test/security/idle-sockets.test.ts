/**
 * Connections that send nothing, or never finish a request, or do not read, are limited in number, time and memory, and others are served
 * meanwhile (CVE-2025-69199: sockets without count, rate or size limits; slowloris, R. Hansen 2009).
 */
import t from 'tap';
import { type ManySocket, manySockets } from '../support/http/many-sockets.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { watchedProcess } from '../support/processes/watched-process.ts';

/** Longer than the timeout for headers and the interval of its check (gateway/http/server.ts), also on a loaded machine. */
const HEADERS_DEADLINE_MS = 15_000 + 5_000 + 10_000;
/** Longest time for a response to others meanwhile. */
const SERVED_WITHIN_MS = 1_000;
/** Memory for a thousand connections, each of which needs a few KiB for socket and parser. */
const MOST_GROWTH_MIB = 60;

const COUNT = 1_000;
const HEAD = 'POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';

t.test('a thousand silent or unfinished connections cost little and are closed', async (t) => {
  const gamekeeper = await startGamekeeper(t, { settings: { limits: { connections: 4 * COUNT } } });
  const gateway = watchedProcess(gamekeeper, /gateway\/main/);
  const port = Number(new URL(gamekeeper.addresses().panel).port);
  await gamekeeper.api('GET', '/instances');
  const before = { memory: gateway.memoryMib(), sockets: gateway.sockets() };

  const silent = await manySockets(t, port, { count: COUNT });
  await others('with a thousand silent connections');
  t.ok(gateway.memoryMib() - before.memory < MOST_GROWTH_MIB, `memory: ${before.memory} to ${gateway.memoryMib()} MiB`);

  const slow = await manySockets(t, port, { count: 200, text: `${HEAD}X-Slow: ` });
  const trickling = setInterval(() => {
    for (const { socket, closed } of slow) if (!closed()) socket.write('a');
  }, 500);
  t.teardown(() => clearInterval(trickling));
  await others('with unfinished headers');

  // Each announces slightly less than the limit of a body, and omits the last byte.
  const length = 16 * 1024;
  const text = `${HEAD}Content-Length: ${length}\r\n\r\n{"username":"${'x'.repeat(length - 14)}`;
  const bodies = await manySockets(t, port, { count: 400, text });
  await others('with unfinished bodies');
  t.ok(gateway.memoryMib() - before.memory < MOST_GROWTH_MIB * 1.5, `memory: ${gateway.memoryMib()} MiB with bodies`);

  await until('connections without headers are closed', () => [...silent, ...slow].every(({ closed }) => closed()), {
    deadlineMs: HEADERS_DEADLINE_MS,
    describe: () => `${[...silent, ...slow].filter(({ closed }) => !closed()).length} are open`,
  });
  clearInterval(trickling);
  for (const { heard } of [...silent.slice(0, 5), ...slow.slice(0, 5)]) t.match(heard(), isTimeout);
  for (const { socket } of bodies) socket.destroy();
  await until('the gateway has closed its sockets', () => gateway.sockets() <= before.sockets + 4, {
    describe: () => gateway.sockets(),
  });
  await others('afterwards');
  t.ok(gateway.memoryMib() - before.memory < MOST_GROWTH_MIB * 1.5, `memory: ${gateway.memoryMib()} MiB afterwards`);
  t.equal(watchedProcess(gamekeeper, /gateway\/main/).pid, gateway.pid, 'the gateway is still the same process');

  async function others(when: string): Promise<void> {
    const began = performance.now();
    t.equal((await gamekeeper.api('GET', '/health')).status, 200, `${when}: health`);
    t.equal((await gamekeeper.api('GET', '/instances')).status, 200, `${when}: instances`);
    const took = performance.now() - began;
    t.ok(took < SERVED_WITHIN_MS, `${when}: ${Math.round(took)} ms`);
  }
});

const isTimeout =
  /^HTTP\/1\.1 408 Request Timeout\r\n(?:.*\r\n)*content-type: application\/problem\+json\r\n(?:.*\r\n)*\r\n.*"request_timeout"/;

t.test('at the limit of a listener, silent connections are closed and the next client is served', async (t) => {
  const gamekeeper = await startGamekeeper(t, { settings: { limits: { connections: 100 } } });
  const gateway = watchedProcess(gamekeeper, /gateway\/main/);
  const port = Number(new URL(gamekeeper.addresses().panel).port);
  const open = (sockets: ManySocket[]) => sockets.filter(({ closed }) => !closed()).length;
  const silent = await manySockets(t, port, { count: COUNT });
  await until('half of the silent connections are closed', () => open(silent) <= 50, { describe: () => open(silent) });
  for (let n = 0; n < 20; n++) t.equal((await gamekeeper.api('GET', '/instances')).status, 200);
  t.ok(gateway.sockets() < 200, 'the limit is kept');
});

t.test('responses that are not read and aborted requests cost limited memory', async (t) => {
  const gamekeeper = await startGamekeeper(t, { settings: { limits: { requestsPerSecond: 1e6, burst: 1e6 } } });
  const gateway = watchedProcess(gamekeeper, /gateway\/main/);
  const port = Number(new URL(gamekeeper.addresses().panel).port);
  await gamekeeper.api('GET', '/openapi.json');
  const before = gateway.memoryMib();
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const deaf = await manySockets(t, port, { count: 100 });
  // 50 responses of hundreds of kilobytes on each of 100 connections: 2 GB.
  for (const { socket } of deaf) {
    socket.pause();
    socket.write(request.repeat(50));
  }
  for (let n = 0; n < 20; n++) {
    t.equal((await gamekeeper.api('GET', '/health')).status, 200);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  t.ok(gateway.memoryMib() - before < 150, `memory: ${before} to ${gateway.memoryMib()} MiB`);
});
