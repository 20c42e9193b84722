import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import type { Schedule, ScheduleRun } from '../../shared/schema/schedule.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Every hour, in UTC. The test changes the database instead of waiting. */
const HOURLY = { cron: '0 * * * *', timeZone: 'UTC', missed: { policy: 'run', graceMinutes: 10_080 } };

t.test('schedules run in sequence in the real processes and are recorded in the history', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { api, home, waitForStatus } = gamekeeper;
  await api('POST', '/instances', { name: 'Demo', software: 'demo' });
  await api('POST', '/instances/demo/start');
  await waitForStatus('demo', 'running');
  await api('POST', '/instances/demo/commands', { command: 'demo join Steve' });

  const saved = await api<{ schedules: Schedule[] }>('PUT', '/instances/demo/schedules', {
    schedules: [
      { name: 'Only empty', ...HOURLY, action: { type: 'command', command: 'list' }, condition: 'empty' },
      { name: 'Backup', ...HOURLY, action: { type: 'backup', cloudReplicate: false } },
      {
        name: 'Restart',
        ...HOURLY,
        action: { type: 'restart', announce: { secondsBefore: [1], message: 'Back in {time}' } },
      },
      { name: 'Again', ...HOURLY, action: { type: 'restart' } },
    ],
  });
  t.equal(saved.status, 200);
  t.match(saved.body.schedules[0]?.nextRuns?.[0], /:00:00\.000Z$/);

  // As if the hour had passed while Gamekeeper was stopped.
  await gamekeeper.endDaemon('SIGTERM');
  const database = new DatabaseSync(join(home, 'gamekeeper.db'));
  database.exec('UPDATE schedule SET considered_at = considered_at - 7200000');
  database.close();
  const before = Date.now();
  await gamekeeper.startDaemon();

  const runs = await until('all runs have ended', async () => {
    const { body } = await api<{ runs: ScheduleRun[] }>('GET', '/instances/demo/schedules/history');
    return body.runs.length === 4 && body.runs.every(({ result }) => result !== 'running') ? body.runs : undefined;
  });
  const byName = Object.fromEntries(runs.map((run) => [run.name, run]));
  t.match(byName, {
    Backup: { result: 'done', backupId: String },
    Restart: { result: 'done' },
    Again: { result: 'refused', reason: /starting or stopping/ },
    'Only empty': { result: 'skipped', reason: 'Players were online.' },
  });
  t.ok(Date.parse(byName.Backup?.endedAt ?? '') <= Date.parse(byName.Restart?.endedAt ?? ''), 'in turn');
  const { body: backups } = await api<{ backupId: string; reason: string }[]>('GET', '/instances/demo/backups');
  t.match(backups, [{ backupId: byName.Backup?.backupId, reason: 'schedule' }]);
  await until('it runs again, since the restart', async () => {
    const { body } = await api<Instance>('GET', '/instances/demo');
    return body.status === 'running' && (body.uptimeSeconds ?? Number.POSITIVE_INFINITY) * 1000 < Date.now() - before;
  });
  const { body: log } = await api<{ lines: string[] }>('GET', '/instances/demo/logs?lines=200');
  t.match(JSON.stringify(log), /Back in 1 second/);
  const { body: after } = await api<{ schedules: Schedule[] }>('GET', '/instances/demo/schedules');
  t.match(after.schedules[1]?.lastRun, { result: 'done' });
});
