import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import type { Instance } from '../../shared/schema/instance.ts';
import { createFloodTally, type FloodReport } from '../support/console/flood-tally.ts';
import { openFloodViewer } from '../support/console/flood-viewer.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const VIEWER = join(import.meta.dirname, '../fixtures/flood-viewer.ts');
/** For a whole flood on a loaded machine; less than the 60 s after which the gateway closes the socket of a stopped viewer. */
const FLOOD_DEADLINE_MS = 50_000;

const LINUX = { skip: process.platform !== 'linux' && 'reads /proc' };

t.test('a flood of a million lines reaches a viewer, and a stopped viewer when it continues', LINUX, async (t) => {
  const FLOOD = 1_000_000; // about as much as the log on disk holds
  const { first, second } = await floodTwo(t, FLOOD);
  t.same(first, expected(FLOOD), 'the first viewer received every line once, in order');
  t.same(second, expected(FLOOD), 'so did the second, after it continued');
});

t.test('a stopped viewer learns exactly how many lines were rotated away', LINUX, async (t) => {
  const FLOOD = 1_200_000; // more than the log on disk holds
  const { first, second } = await floodTwo(t, FLOOD);
  t.same(first.faults, [], 'the first viewer received every line once, in order');
  t.same(second, expected(FLOOD, second.skipped), 'the second did, except for the announced gaps');
  t.ok(second.skipped > 0);
});

t.test('a viewer resumes after kill -9 of the gateway during a flood, and has every line once', async (t) => {
  const FLOOD = 300_000;
  const KILL_AT = 100_000;
  const { gamekeeper, console, headers } = await demoConsole(t);
  const tally = createFloodTally();
  const { report } = tally;
  const seqFaults: string[] = [];
  let seq = 0;

  /** Connects and resumes after the last line received. Rejects if there is no gateway. */
  async function view(): Promise<WebSocket> {
    const socket = new WebSocket(`${console}?format=json&after=${seq}`, { headers });
    t.teardown(() => socket.terminate());
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { lines?: { seq: number; text: string }[]; skipped?: number };
      if (!message.lines) seqFaults.push(`after ${seq}: ${String(data)}`);
      for (const line of message.lines ?? []) {
        if (line.seq !== seq + 1) seqFaults.push(`${line.seq} after ${seq}`);
        seq = line.seq;
        tally.takeLine(line.text);
      }
    });
    await once(socket, 'open');
    return socket;
  }

  const first = await view();
  const lost = once(first, 'close', { signal: AbortSignal.timeout(FLOOD_DEADLINE_MS) });
  // The connection ends without a close frame.
  first.on('error', () => undefined);
  const startedAt = performance.now();
  const gateway = gatewayOf(gamekeeper);
  first.on('message', function killInTheMiddle() {
    if (report().last < KILL_AT) return;
    first.off('message', killInTheMiddle);
    process.kill(gateway, 'SIGKILL');
  });
  first.send(`demo flood ${FLOOD}`);
  await lost;
  const { last: lastBefore, printed } = report();
  const lostAt = performance.now();
  t.ok(lastBefore >= KILL_AT && printed === undefined, 'it was in the middle');

  await until('the viewer is connected again', () => view().catch(() => undefined), { deadlineMs: FLOOD_DEADLINE_MS });
  t.comment(`connected again at line ${lastBefore} after ${secondsSince(lostAt)}`);
  await until('the viewer has the last line', () => report().printed !== undefined, {
    deadlineMs: FLOOD_DEADLINE_MS,
    describe: () => ({ ...report(), seq, seqFaults }),
  });
  t.same(seqFaults, [], 'every sequence number once, in order, without a gap');
  t.same(report(), expected(FLOOD), 'every line once, in order');
  t.comment(`${FLOOD} lines after ${secondsSince(startedAt)}`);
});

/** Floods a console with one viewer that reads and one that is stopped meanwhile. Resolves to what both received in the end. */
async function floodTwo(t: Test, lines: number): Promise<{ first: FloodReport; second: FloodReport }> {
  const { console, headers } = await demoConsole(t);
  const child = fork(VIEWER, [console, headers.authorization], { execArgv: [] });
  t.teardown(() => child.kill('SIGKILL'));
  await messageOf(child);
  child.kill('SIGSTOP');
  await until('the second viewer is stopped', () => isStopped(child));

  const { socket, report } = await openFloodViewer(console, headers);
  t.teardown(() => socket.terminate());
  const startedAt = performance.now();
  socket.send(`demo flood ${lines}`);
  await until('the first viewer has the last line', () => report().printed !== undefined, {
    deadlineMs: FLOOD_DEADLINE_MS,
    describe: report,
  });
  t.comment(`first viewer: ${report().lines} lines after ${secondsSince(startedAt)}`);
  if (!isStopped(child)) throw new Error('The second viewer was not stopped throughout the flood.');

  const continuedAt = performance.now();
  child.kill('SIGCONT');
  const second = (await messageOf(child)) as FloodReport;
  t.comment(`second viewer: ${second.lines} lines, ${second.skipped} skipped, after ${secondsSince(continuedAt)}`);
  return { first: report(), second };
}

/** Resolves to the next message of a viewer's process. Throws if there is none in time. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message', { signal: AbortSignal.timeout(FLOOD_DEADLINE_MS) });
  return message;
}

/** The report of a viewer that received each line once and in order, except those announced as skipped. */
function expected(printed: number, skipped = 0): FloodReport {
  return { lines: printed - skipped, skipped, last: printed, faults: [], printed };
}

/** Starts a demo server. Resolves to the address of its console. */
async function demoConsole(t: Test) {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  // The server prints a line when RCON connects to ask for the tick time. That line must not fall into the flood or into a gap.
  await until('the tick time is known', async () => {
    return (await gamekeeper.api<Instance>('GET', '/instances/demo')).body.tps !== undefined;
  });
  const console = `${gamekeeper.addresses().panel.replace(/^http/, 'ws')}/ws/instances/demo/console`;
  return { gamekeeper, console, headers: { authorization: `Bearer ${await gamekeeper.token()}` } };
}

function isStopped({ pid }: ChildProcess): boolean {
  // proc_pid_stat(5): the state follows the program's name, which may contain anything and is in parentheses.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat[stat.lastIndexOf(')') + 2] === 'T';
}

function gatewayOf({ home }: Gamekeeper): number {
  const gateway = processesOf(home).find(({ command }) => /gateway\/main/.test(command));
  if (!gateway) throw new Error('There is no gateway.');
  return gateway.pid;
}

function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
