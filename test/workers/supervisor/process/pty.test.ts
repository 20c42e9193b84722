import { once } from 'node:events';
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { identifyProcess, isAlive } from '../../../../shared/node/processes/process-identity.ts';
import { type PtyOptions, spawnPty } from '../../../../workers/supervisor/process/pty.ts';
import { takeTerminal } from '../../../../workers/supervisor/process/terminal-holder.ts';
import { createTerminalPipes } from '../../../../workers/supervisor/process/terminal-pipes.ts';
import { mounted } from '../../../support/machine/mounted.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

/** Nothing is ever logged. */
const NO_LOG = { lineNumber: () => 0, isMidLine: () => false, onLogged: () => () => undefined };
const ENV = { PATH: process.env.PATH ?? '' };

type Run = (program: string, args: string[], change?: Partial<PtyOptions>) => Promise<ReturnType<typeof start>>;

function start(program: string, args: string[], change: Partial<PtyOptions> = {}) {
  const chunks: Buffer[] = [];
  const pty = spawnPty({
    command: { program, args, cwd: '/', env: ENV },
    onData: (bytes) => chunks.push(Buffer.from(bytes)),
    ...change,
  });
  const exited = pty.exited.finally(() => pty.close());
  return { ...pty, exited, output: () => Buffer.concat(chunks).toString() };
}

/** Runs a test with a terminal that ends with this process, and with one that outlives it. */
function test(title: string, body: (t: Test, run: Run) => Promise<void>): void {
  t.test(title, async (t) => {
    await body(t, async (...args) => start(...args));
  });
  t.test(`${title} (held)`, async (t) => {
    const folder = temporaryFolder(t);
    let count = 0;
    await body(t, async (program, args, change) => {
      const pipes = await createTerminalPipes(join(folder, String(count++)));
      return start(program, args, {
        hold: { pipes, log: NO_LOG, label: ['test'], onLost: () => undefined },
        ...change,
      });
    });
  });
}

/** Blocks the event loop. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not happen in 10 s');
    await sleep(5);
  }
}

/** More than the kernel buffers for a terminal, so that the end is still unread when the process exits. */
const LAST = 4_000;
const COUNTED = Array.from({ length: LAST }, (_, n) => `${n + 1}\r\n`).join('');

test('the last output of a process is never lost, 200 times, busy or not', async (t, run) => {
  let wrong = 0;
  for (let round = 0; round < 200; round++) {
    const chunks: Buffer[] = [];
    const pty = await run('/usr/bin/seq', [String(LAST)], {
      onData(bytes) {
        chunks.push(Buffer.from(bytes));
        // Every other time the process is gone before this one reads again.
        if (round % 2 === 1) block(chunks.length);
      },
    });
    t.match(await pty.exited, { exitCode: 0 });
    if (Buffer.concat(chunks).toString() !== COUNTED) wrong++;
  }
  t.equal(wrong, 0);
});

test('no output is lost if we block while it ends and a child keeps the terminal open, 200 times', async (t, run) => {
  const script = `trap "" HUP; sleep 1 & exec seq ${LAST}`;
  let wrong = 0;
  for (let round = 0; round < 4; round++) {
    const terminals = await Promise.all(Array.from({ length: 50 }, () => run('/bin/sh', ['-c', script])));
    await until(() => terminals.every((pty) => pty.output() !== ''));
    // Longer than node-pty waits for the last output (200 ms).
    const busy = setInterval(() => block(250), 0);
    await Promise.all(terminals.map((pty) => pty.exited));
    clearInterval(busy);
    wrong += terminals.filter((pty) => pty.output() !== COUNTED).length;
  }
  t.equal(wrong, 0);
});

test('an exit has a code or a signal', async (t, run) => {
  t.strictSame(await (await run('/bin/sh', ['-c', 'exit 3'])).exited, { exitCode: 3, signal: null });
  t.strictSame(await (await run('/bin/sh', ['-c', 'kill -SEGV $$'])).exited, { exitCode: null, signal: 'SIGSEGV' });
});

test('output is passed on as raw bytes', async (t, run) => {
  const chunks: Buffer[] = [];
  const pty = await run('/usr/bin/printf', ['\\303\\050\\377'], { onData: (bytes) => chunks.push(Buffer.from(bytes)) });
  await pty.exited;
  t.strictSame([...Buffer.concat(chunks)], [0xc3, 0x28, 0xff]);
});

test('typing reaches the process, and the terminal has the given size', async (t, run) => {
  const pty = await run('/bin/sh', [
    '-c',
    'until [ "$(stty size)" = "13 97" ]; do sleep 0.01; done; read a; read b; echo "got $a $b"',
  ]);
  for (const columns of [20, 30, 97]) pty.resize({ columns, rows: 13 });
  pty.write('one\r');
  await until(() => pty.output().includes('one'));
  pty.write('two\r');
  await pty.exited;
  t.match(pty.output(), 'got one two');
});

test('kill ends the whole session, even processes that left their group and ignore all other signals', async (t, run) => {
  const folder = temporaryFolder(t);
  const script = 'trap "" HUP TERM INT; echo $$ > "$1"; while :; do sleep 1; done';
  writeFileSync(join(folder, 'child.sh'), script);
  // -m: a process group for each job
  const pty = await run('/bin/sh', ['-mc', `trap "" HUP TERM; sh ${folder}/child.sh ${folder}/pid & wait`]);
  const pid = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await until(() => {
    try {
      return pid() > 0;
    } catch {
      return false; // not written yet
    }
  });
  const child = await identifyProcess(pid());
  if (!child) throw new Error('the child does not live');
  pty.kill();
  t.match(await pty.exited, { signal: 'SIGKILL' });
  const deadline = Date.now() + 5_000;
  while ((await isAlive(child)) && Date.now() < deadline) await sleep(5);
  t.notOk(await isAlive(child));
});

test('our own files and sockets are not inherited', async (t, run) => {
  const file = openSync(join(temporaryFolder(t), 'ours'), 'w');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pty = await run('/bin/ls', ['-l', '/proc/self/fd']);
  await pty.exited;
  closeSync(file);
  server.close();
  t.match(pty.output(), '/dev/pts/');
  t.notMatch(pty.output(), /socket:|ours/);
});

test('a file that the kernel cannot execute ends at once with the reason', async (t, run) => {
  const file = join(temporaryFolder(t), 'broken');
  writeFileSync(file, '#!/no/such/interpreter\n');
  chmodSync(file, 0o755);
  const pty = await run(file, []);
  t.match(await pty.exited, { exitCode: 1 });
  t.match(pty.output(), /execvp\(3\) failed/);
});

t.test('if no memory is left for what is printed, the console continues without it', async (t) => {
  const folder = temporaryFolder(t);
  const memory = join(folder, 'memory');
  if (!mounted(t, memory, '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs')) return;
  const pipes = await createTerminalPipes(join(folder, 'pipes'), memory);
  const hold = { pipes, log: NO_LOG, label: ['test'], onLost: () => undefined };
  const pty = start('/usr/bin/seq', ['200000'], { hold });
  t.match(await pty.exited, { exitCode: 0 });
  const expected = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\r\n`).join('');
  t.ok(pty.output() === expected, 'nothing is missing or doubled');
});

t.test('a terminal without memory for its output can be taken over', async (t) => {
  const folder = temporaryFolder(t);
  const memory = join(folder, 'memory');
  if (!mounted(t, memory, '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs')) return;
  const pipes = await createTerminalPipes(join(folder, 'pipes'), memory);
  const listeners = new Set<(newest: number) => void>();
  const log = {
    ...NO_LOG,
    onLogged(listener: (newest: number) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const script = 'seq 100000; echo filled; while read -r line; do echo "got $line"; done';
  const first = start('/bin/bash', ['-c', script], {
    hold: { pipes, log, label: ['test'], onLost: () => undefined },
  });
  await until(() => first.output().endsWith('filled\r\n'));
  for (const listener of listeners) listener(1); // its position is noted
  first.release();
  let printed = '';
  const next = takeTerminal(first.held!, {
    log,
    onData(bytes) {
      printed += bytes.toString();
    },
    onLost: () => undefined,
  });
  t.teardown(() => next.close());
  next.write('one\r');
  await until(() => printed.endsWith('got one\r\n'));
  t.equal(printed, 'one\r\ngot one\r\n');
});

t.test('a terminal cannot be held if there is no memory for what is printed, or if that is on a disk', async (t) => {
  const folder = temporaryFolder(t);
  await t.rejects(createTerminalPipes(join(folder, 'pipes'), '/proc'), /not in memory/);
  const memory = join(folder, 'memory');
  if (!mounted(t, memory, '-t', 'tmpfs', '-o', 'size=4k', 'tmpfs')) return;
  writeFileSync(join(memory, 'full'), Buffer.alloc(4096));
  await t.rejects(createTerminalPipes(join(folder, 'pipes'), memory), { code: 'ENOSPC' });
  t.strictSame(readdirSync(memory), ['full'], 'nothing is left');
});
