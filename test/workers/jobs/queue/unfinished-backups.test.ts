import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { createLogger } from '../../../../shared/node/logger.ts';
import { JobQueue } from '../../../../workers/jobs/queue/queue.ts';
import { followUnfinishedBackups } from '../../../../workers/jobs/queue/unfinished-backups.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

const NOW = 1_795_000_000_000;
const NEVER = new AbortController().signal;
const log = createLogger({ name: 'test', level: 'silent' });
let lastId = 0;

/** The queue of one jobs process. Its jobs end only when they are cancelled. */
async function startQueue(file: string) {
  const queue = new JobQueue({
    limit: 1,
    now: () => new Date(NOW),
    ticks: () => 0,
    newId: () => `job-${++lastId}`,
    onFailed: () => undefined,
  });
  const leave = await followUnfinishedBackups({ file, queue, now: () => NOW, log });
  const add = (kind: 'backup' | 'verify', instanceId: string) =>
    queue.add({
      ...{ kind, instanceId, queued: true },
      work: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    }).jobId;
  return { queue, leave, add };
}

t.test('backups that were queued or running are failed in the next process, and end in order there', async (t) => {
  const file = path.join(temporaryFolder(t), 'unfinished');
  const first = await startQueue(file);
  const cut = [first.add('backup', 'a'), first.add('backup', 'b')];
  first.add('verify', 'c');
  const cancelled = first.add('backup', 'd');
  first.queue.cancel(cancelled);
  await first.leave();
  await first.queue.close();

  const { queue } = await startQueue(file);
  t.same(
    queue.all().map(({ jobId, state }) => [jobId, state]),
    cut.map((jobId) => [jobId, 'failed']),
  );
  const error = { code: 'worker_unavailable', detail: 'The jobs process ended before the job was done.' };
  t.match(queue.find(cut[0]!), { instanceId: 'a', endedAt: new Date(NOW).toISOString(), error });
  await t.rejects(queue.wait(cut[0]!, NEVER), { code: error.code, message: error.detail });
  t.doesNotThrow(() => queue.cancel(cut[0]!), 'as for any ended job');
  t.same(queue.active('a'), []);
});

t.test('a finished backup leaves no record', async (t) => {
  const file = path.join(temporaryFolder(t), 'unfinished');
  const { queue, add } = await startQueue(file);
  const jobId = add('backup', 'a');
  await until('it is on record', () => existsSync(file));
  queue.cancel(jobId);
  await until('the record is gone', () => !existsSync(file));
});

t.test('a record that cannot be read or written does not keep backups from running', async (t) => {
  const folder = temporaryFolder(t);
  const damaged = path.join(folder, 'damaged');
  writeFileSync(damaged, '[{');
  t.same((await startQueue(damaged)).queue.all(), []);
  const blocked = path.join(folder, 'blocked');
  mkdirSync(`${blocked}.new`);
  const { queue, leave, add } = await startQueue(blocked);
  const jobId = add('backup', 'a');
  await leave();
  t.match(queue.find(jobId), { state: 'running' });
  await queue.close();
});
