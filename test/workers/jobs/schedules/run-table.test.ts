import path from 'node:path';
import t from 'tap';
import type { ScheduleRun } from '../../../../shared/schema/schedule.ts';
import { openDatabase } from '../../../../workers/jobs/resources/database.ts';
import { createRunTable } from '../../../../workers/jobs/schedules/run-table.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const AT = '2026-11-20T04:00:00.000Z';
const RUN: ScheduleRun = {
  scheduleId: 'nightly',
  name: 'Nightly',
  action: 'start',
  plannedAt: AT,
  startedAt: AT,
  result: 'running',
};

t.test('only runs from before the start are marked as interrupted, however late that is written', (t) => {
  const database = openDatabase(path.join(temporaryFolder(t), 'gamekeeper.db'));
  t.teardown(() => database.close());
  createRunTable(database).add('demo', RUN);
  const runs = createRunTable(database);
  runs.add('demo', { ...RUN, name: 'Begun since' });
  runs.endInterrupted(AT);
  runs.endInterrupted(AT);
  t.match(runs.of('demo'), [
    { name: 'Begun since', result: 'running' },
    { name: 'Nightly', result: 'failed', endedAt: AT },
  ]);
  t.end();
});
