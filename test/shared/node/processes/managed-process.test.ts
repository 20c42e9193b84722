import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createLogger } from '../../../../shared/node/logger.ts';
import { manageProcess } from '../../../../shared/node/processes/managed-process.ts';
import { type Child, type Program, startChild } from '../../../../shared/node/processes/spawn.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

const log = createLogger({ name: 'test', level: 'silent' });

/** A child process that runs `code`. */
async function program(t: Test, code: string): Promise<Program> {
  const folder = temporaryFolder(t);
  const entry = path.join(folder, 'program.mjs');
  await writeFile(entry, code);
  return { name: 'test program', command: { entry, args: ['--home', folder] }, logFile: path.join(folder, 'log') };
}

const SERVES = `
  process.once('disconnect', () => process.exit());
  process.send({ type: 'ready', ready: { pid: process.pid, args: process.argv.slice(2) } });
  setInterval(() => {}, 1000);
`;

type Ready = { pid: number; args: string[] };

t.test('a killed process is replaced at once', async (t) => {
  const serving = await program(t, SERVES);
  let starts = 0;
  const kept = await manageProcess<Ready>({
    name: 'test',
    log,
    ending: new AbortController().signal,
    start() {
      starts++;
      return startChild<Ready>(serving);
    },
  });
  const first = await kept.ready();
  t.same(first.args, serving.command.args);
  process.kill(first.pid, 'SIGKILL');
  await until('another process serves', async () => (await kept.ready()).pid !== first.pid);
  const second = await kept.ready();
  await kept.stop(1_000);
  t.throws(() => process.kill(second.pid, 0), 'stopped for good');
  t.equal(starts, 2);
});

t.test('nothing is restarted during a shutdown', async (t) => {
  const serving = await program(t, SERVES);
  const ending = new AbortController();
  const children: Child<Ready>[] = [];
  const start = () => {
    const child = startChild<Ready>(serving);
    children.push(child);
    return child;
  };
  const kept = await manageProcess<Ready>({ name: 'test', log, ending: ending.signal, start });
  ending.abort();
  process.kill((await kept.ready()).pid, 'SIGTERM');
  await children[0]?.exited;
  await kept.stop(1_000);
  t.equal(children.length, 1);
});

/** Manages a program with several first attempts; `children` are the starts. */
function keepPatiently(program: Program) {
  const children: Child<Ready>[] = [];
  const start = () => {
    const child = startChild<Ready>(program);
    children.push(child);
    return child;
  };
  return {
    children,
    keeping: manageProcess<Ready>({ name: 'test', log, ending: new AbortController().signal, start, firstAttempts: 3 }),
  };
}

t.test('a first process that reports why it cannot serve is not replaced', async (t) => {
  const { children, keeping } = keepPatiently(
    await program(
      t,
      `process.send({ type: 'failed', code: 'port_in_use', detail: 'Taken.', resolution: 'Move.' }, () => process.exit(1));`,
    ),
  );
  await t.rejects(keeping, { code: 'port_in_use', message: 'Taken.', resolution: 'Move.' });
  t.equal(children.length, 1, 'no further attempts');
});

t.test('a process that is killed before it is ready is replaced', async (t) => {
  const counted = path.join(temporaryFolder(t), 'starts');
  const { children, keeping } = keepPatiently(
    await program(
      t,
      `import { appendFileSync, readFileSync } from 'node:fs';
      appendFileSync('${counted}', '.');
      if (readFileSync('${counted}').length < 3) process.kill(process.pid, 'SIGKILL');
      ${SERVES}`,
    ),
  );
  const kept = await keeping;
  t.equal((await kept.ready()).pid, children[2]?.pid);
  t.equal(kept.restarts, 2);
  await kept.stop(1_000);
});

t.test('a process that could not reach the paused daemon is replaced', async (t) => {
  const marked = path.join(temporaryFolder(t), 'marked');
  const failure = { type: 'failed', code: 'daemon_unavailable', detail: 'No answer.', resolution: 'Try again.' };
  const { children, keeping } = keepPatiently(
    await program(
      t,
      `import { existsSync, writeFileSync } from 'node:fs';
      if (existsSync('${marked}')) { ${SERVES} }
      else {
        writeFileSync('${marked}', '');
        process.send(${JSON.stringify(failure)}, () => process.exit(1));
      }`,
    ),
  );
  const kept = await keeping;
  t.equal(children.length, 2);
  await kept.stop(1_000);
});

t.test('starting is given up with the last failure if no process gets ready', async (t) => {
  const { children, keeping } = keepPatiently(await program(t, 'process.exit(3)'));
  await t.rejects(keeping, { code: 'worker_unavailable', message: 'The test program ended with status 3.' });
  t.equal(children.length, 3);
});

t.test('nothing is started during a shutdown, even before the first process is ready', async (t) => {
  const failing = await program(t, 'process.exit(3)');
  const ending = new AbortController();
  let starts = 0;
  const start = () => {
    starts++;
    ending.abort();
    return startChild(failing);
  };
  await t.rejects(manageProcess({ name: 'test', log, ending: ending.signal, start, firstAttempts: 3 }), {
    code: 'worker_unavailable',
  });
  t.equal(starts, 1);
});

t.test('a program that ignores SIGTERM is killed', async (t) => {
  const stubborn = await program(t, `process.on('SIGTERM', () => {}); ${SERVES}`);
  const child = startChild<Ready>(stubborn);
  await child.ready;
  await child.stop(50);
  t.equal(await child.exited, 'was ended by SIGKILL');
});

t.test("the administrator's password is not passed to children", async (t) => {
  process.env.GAMEKEEPER_ADMIN_PASSWORD = 'a secret';
  t.teardown(() => delete process.env.GAMEKEEPER_ADMIN_PASSWORD);
  const child = startChild<string[]>(
    await program(t, `process.send({ type: 'ready', ready: Object.keys(process.env) }); setInterval(() => {}, 1000);`),
  );
  t.notOk((await child.ready).includes('GAMEKEEPER_ADMIN_PASSWORD'));
  await child.stop(1_000);
});
