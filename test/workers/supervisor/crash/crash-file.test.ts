import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { createCrashFile } from '../../../../workers/supervisor/crash/crash-file.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const report = (reason: string) => ({
  at: '2026-11-20T08:00:00.000Z',
  exitCode: 1,
  signal: null,
  reason,
  restarts: 0,
  lines: [],
});

t.test('the newest crashes are kept on disk', async (t) => {
  const file = path.join(temporaryFolder(t), 'crashes.json');
  const crashes = createCrashFile(file);
  await Promise.all(Array.from({ length: 55 }, (_, n) => crashes.add(report(`crash ${n}`))));
  const kept = (await createCrashFile(file).all()).map(({ reason }) => reason);
  t.equal(kept.length, 50);
  t.same([kept[0], kept.at(-1)], ['crash 54', 'crash 5']);
});

t.test('endless lines do not make the file endless', async (t) => {
  const crashes = createCrashFile(path.join(temporaryFolder(t), 'crashes.json'));
  const lines = Array.from({ length: 50 }, (_, n) => `${n} ${'x'.repeat(5_000)}`);
  await crashes.add({ ...report('long'), lines });
  t.same((await crashes.all())[0]?.lines, lines.slice(-3));
});

t.test('settled waits for the last crash to be written', async (t) => {
  const file = path.join(temporaryFolder(t), 'crashes.json');
  const crashes = createCrashFile(file);
  void crashes.add(report('just before the end'));
  await crashes.settled();
  t.match(JSON.parse(readFileSync(file, 'utf8')), [{ reason: 'just before the end' }]);
});

t.test('a damaged file counts as empty', async (t) => {
  const file = path.join(temporaryFolder(t), 'crashes.json');
  await writeFile(file, '[{"at":');
  t.same(await createCrashFile(file).all(), []);
  await createCrashFile(file).add(report('again'));
  t.equal((await createCrashFile(file).all()).length, 1);
});

t.test('a later supervisor knows a crash with its reason and last 50 lines', async (t) => {
  const script =
    'for n in $(seq 1 60); do echo "line $n"; done; echo "java.lang.OutOfMemoryError: Java heap space"; exit 1';
  const config = {
    software: 'custom',
    launch: { command: ['sh', '-c', script] },
    readyPattern: 'never',
    crashPolicy: { restart: 'never', maxRestarts: 0, windowSeconds: 600 } as const,
  };
  const { service, home, waitForPhase } = await runSupervisor(t, { config });
  await service.start();
  await waitForPhase('crashed');
  const [crash] = await service.crashes();
  t.match(crash, { exitCode: 1, reason: /^Java ran out of memory/, restarts: 0 });
  t.equal(crash?.lines.length, 50);
  t.match(crash?.lines.at(-1), /OutOfMemoryError/);
  const later = await runSupervisor(t, { config, home });
  t.same(await later.service.crashes(), [crash]);
});

t.test('a crashed server stays crashed under the next supervisor until it is started', async (t) => {
  const crash = { at: '2026-11-20T08:00:00.000Z', exitCode: 7, signal: null, reason: 'it fell', restarts: 1 };
  const { service, waitForPhase, phases } = await runSupervisor(t, { crash });
  t.same(await service.status(), { phase: 'crashed', crash });
  await t.rejects(service.stop(), { code: 'invalid_state' });
  await service.start();
  await waitForPhase('running');
  await service.stop();
  await waitForPhase('stopped');
  t.same(phases, ['crashed', 'starting', 'running', 'stopping', 'stopped']);
});
