import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../support/machine/free-port.ts';
import { handshake } from '../../support/machine/game-client.ts';
import { until } from '../../support/machine/until.ts';
import { type BenchRow, inTurns, ratioRow } from '../row.ts';
import { cpuSecondsOf } from '../running-gamekeeper.ts';
import { HOST, type RelayedGame } from './relayed-game.ts';

const LEAST = 0.35;
const READ_BYTES = 262_144;
const MIB = 2 ** 20;

/** T1: bytes from the game to a player for a second of the proxy's CPU time, in turns with HAProxy in TCP mode. */
export async function throughput(
  cleanup: AsyncDisposableStack,
  { proxy, players, direct }: RelayedGame,
  bytes: number,
): Promise<BenchRow> {
  const haproxy = await startHaproxy(cleanup, direct);
  const theirs = async () => (await perCpuSecond(haproxy.port, () => cpuSecondsOf(haproxy.pid), bytes)) / MIB;
  const ours = async () => (await perCpuSecond(players, proxy.cpu, bytes)) / MIB;
  // From then on, both are warm.
  await theirs();
  await ours();
  return ratioRow({
    id: 'T1',
    what: '1 GiB from a game to a player through the proxy, of its CPU time',
    unit: 'MiB/CPU s',
    comparedWith: 'HAProxy in TCP mode',
    turns: await inTurns(theirs, ours),
    goal: { atLeast: LEAST },
  });
}

async function perCpuSecond(port: number, cpu: () => number, bytes: number): Promise<number> {
  const before = cpu();
  let received = 0;
  const buffer = Buffer.alloc(READ_BYTES);
  const callback = (length: number) => {
    received += length;
    return true;
  };
  const player = connect({ port, host: '127.0.0.1', onread: { buffer, callback } });
  player.write(Buffer.concat([handshake(2, HOST), Buffer.from('send')]));
  await once(player, 'close');
  if (received !== bytes) throw new Error(`${received} bytes have arrived instead of ${bytes}.`);
  return bytes / (cpu() - before);
}

async function startHaproxy(cleanup: AsyncDisposableStack, to: number): Promise<{ port: number; pid: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-haproxy-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const file = path.join(folder, 'haproxy.cfg');
  const lines = [
    'global\n  nbthread 1',
    'defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 1m\n  timeout server 1m',
    `listen game\n  bind 127.0.0.1:${port}\n  server game 127.0.0.1:${to}\n`,
  ];
  writeFileSync(file, lines.join('\n'));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  cleanup.defer(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await until('HAProxy listens', async () => {
    const socket = connect(port, '127.0.0.1');
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isUp;
  });
  return { port, pid: child.pid! };
}
