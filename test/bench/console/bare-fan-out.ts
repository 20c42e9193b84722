/**
 * Measures the minimum cost of writing a console to many sockets: `bare-fan-out.ts <sockets> <bytes per second> <seconds>` writes to that
 * many connections, which another process drains, and prints the CPU seconds used.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const TICK_MS = 16;

if (process.argv[2] === 'drain') {
  const [, , , port, count] = process.argv;
  for (let n = 0; n < Number(count); n++) connect(Number(port), '127.0.0.1').resume();
} else {
  const [count = 0, bytesPerSecond = 0, seconds = 0] = process.argv.slice(2).map(Number);
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.setNoDelay(true)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drain = fork(import.meta.filename, ['drain', String((server.address() as AddressInfo).port), String(count)]);
  while (sockets.length < count) await once(server, 'connection');

  const block = Buffer.alloc((bytesPerSecond * TICK_MS) / 1000, 'x');
  const before = process.cpuUsage();
  const ticks = (seconds * 1000) / TICK_MS;
  const start = performance.now();
  for (let tick = 1; tick <= ticks; tick++) {
    for (const socket of sockets) socket.write(block);
    const wait = start + tick * TICK_MS - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
  }
  const { user, system } = process.cpuUsage(before);
  drain.kill();
  process.stdout.write(`${(user + system) / 1e6}\n`);
  process.exit();
}
