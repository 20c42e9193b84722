import t from 'tap';
import type { ReplicaRow } from '../../../../../workers/jobs/backups/replication/replicas.ts';
import { nextLook, nextTransfer } from '../../../../../workers/jobs/backups/replication/replication-plan.ts';

const NOW = 1_000;

function row(backupId: string, more: Partial<ReplicaRow> = {}): ReplicaRow {
  return {
    instanceId: 'survival',
    backupId,
    store: 'nas',
    state: 'pending',
    object: null,
    attempts: 0,
    nextAttemptAt: 0,
    error: null,
    replicatedAt: null,
    checkedAt: null,
    ...more,
  };
}
const next = (...rows: ReplicaRow[]) => nextTransfer(rows, NOW)?.backupId;

t.test('the oldest copy comes first', async (t) => {
  t.equal(next(row('b'), row('a'), row('c')), 'a');
  t.equal(next(), undefined);
});

t.test('a copy that is not due, or not to be retried, waits', async (t) => {
  t.equal(next(row('a', { nextAttemptAt: NOW + 1 }), row('b', { nextAttemptAt: null }), row('c')), 'c');
  t.equal(next(row('a', { nextAttemptAt: NOW })), 'a');
});

t.test('a copy whose time lies too far ahead is due: the clock was set back', async (t) => {
  t.equal(next(row('a', { nextAttemptAt: NOW + 3_600_000 })), undefined, 'the longest pause is an hour');
  t.equal(next(row('a', { nextAttemptAt: NOW + 3_600_001 })), 'a');
});

t.test('copies that failed more often come later', async (t) => {
  const failed = (attempts: number) => ({ state: 'failed', attempts, error: 'No.' }) as const;
  t.equal(next(row('a', failed(3)), row('b', failed(2)), row('c')), 'c');
  t.equal(next(row('a', failed(3)), row('b', failed(2))), 'b');
  t.equal(next(row('a', { state: 'removing', attempts: 2, error: 'No.' }), row('b')), 'b');
});

t.test('a copy that the end of the process interrupted comes first', async (t) => {
  t.equal(next(row('a', { attempts: 1 }), row('b')), 'a');
});

t.test('the next look is at the earliest due time, but not before the store may be tried', async (t) => {
  const rows = [
    row('a', { nextAttemptAt: 5_000 }),
    row('b', { nextAttemptAt: 3_000 }),
    row('c', { nextAttemptAt: null }),
  ];
  t.equal(nextLook(rows, 0), 3_000);
  t.equal(nextLook(rows, 4_000), 4_000);
  t.equal(nextLook([row('c', { nextAttemptAt: null })], 0), undefined);
});
