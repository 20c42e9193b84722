/** Schedules in the real jobs process, with a fake daemon and fake supervisors. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { TokenRecord } from '../../../../shared/contract/daemon/credentials.ts';
import type { ScheduleOwner } from '../../../../shared/contract/jobs.ts';
import type { InstanceRuntime } from '../../../../shared/domain/instance/runtime.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { ScheduleInput } from '../../../../shared/schema/schedule.ts';
import { startTestJobs, type TestJobs } from '../../../support/jobs/test-jobs.ts';
import { until } from '../../../support/machine/until.ts';

const ADMIN: ScheduleOwner = {
  username: 'command line',
  kind: 'local',
  scopes: ['servers:read', 'servers:write', 'backups:create'],
};
const WRITER: ScheduleOwner = { ...ADMIN, scopes: ['servers:read', 'servers:write'] };

/** Half an hour from now, so no schedule is due during a test. */
const MINUTE = (new Date().getUTCMinutes() + 30) % 60;

function hourly(action: ScheduleInput['action'], more: Partial<ScheduleInput> = {}): ScheduleInput {
  return {
    name: 'Test',
    enabled: true,
    cron: `${MINUTE} * * * *`,
    timeZone: 'UTC',
    action,
    condition: 'always',
    missed: { policy: 'run', graceMinutes: 10_080 },
    ...more,
  };
}

const save = ({ call }: TestJobs, schedules: ScheduleInput[], by = ADMIN, version?: string) =>
  call.setSchedules({ instanceId: 'survival', schedules, by, ...(version && { version }) });

t.test('schedules survive a restart and show their next five times', async (t) => {
  const jobs = await startTestJobs(t);
  const saved = await save(jobs, [hourly({ type: 'backup', cloudReplicate: true }, { cron: '0 4 * * *' })]);
  const [schedule] = saved.schedules;
  t.match(schedule, { id: /^[0-9a-f]{8}$/, savedBy: 'command line', timeZone: 'UTC' });
  t.equal(schedule?.nextRuns?.length, 5);
  t.match(schedule?.nextRuns?.[0], /T04:00:00\.000Z$/);
  await until('the next daemon starts jobs', () => existsSync(jobs.home.jobsMark));
  await jobs.restart();
  t.same(await jobs.call.schedules('survival'), saved);
  await save(jobs, []);
  await until('nothing remains to be done', () => !existsSync(jobs.home.jobsMark));
});

t.test('the time zone defaults to the machine’s, and a time that never comes is refused', async (t) => {
  const jobs = await startTestJobs(t);
  const { timeZone: _, ...local } = hourly({ type: 'start' });
  const { schedules } = await save(jobs, [local]);
  t.equal(schedules[0]?.timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone);
  await t.rejects(save(jobs, [hourly({ type: 'start' }, { cron: '0 0 31 2 *' })]), { code: 'invalid_request' });
  await t.rejects(save(jobs, [hourly({ type: 'start' }, { timeZone: 'Nowhere/Land' })]), {
    code: 'invalid_request',
  });
  t.same((await jobs.call.schedules('survival')).schedules, schedules, 'nothing has changed');
});

t.test('a user without the right for an action cannot schedule, change or remove it', async (t) => {
  const jobs = await startTestJobs(t);
  const backup = hourly({ type: 'backup', cloudReplicate: true }, { id: 'backup' });
  const start = hourly({ type: 'start' }, { id: 'start' });
  await t.rejects(save(jobs, [backup], WRITER), { code: 'insufficient_scope' });
  await save(jobs, [backup]);
  await t.rejects(save(jobs, [], WRITER), { code: 'insufficient_scope' });
  await t.rejects(save(jobs, [{ ...backup, enabled: false }], WRITER), { code: 'insufficient_scope' });
  await t.rejects(save(jobs, [{ ...start, id: 'backup' }], WRITER), { code: 'insufficient_scope' });
  const { schedules } = await save(jobs, [backup, start], { ...WRITER, username: 'olga', kind: 'user' });
  t.same(
    schedules.map(({ id, savedBy }) => [id, savedBy]),
    [
      ['backup', 'command line'],
      ['start', 'olga'],
    ],
    'unchanged schedules keep their owner',
  );
  t.match(schedules[1], { paused: /olga.*removed/, nextRuns: [] }, 'there is no user olga');
  t.same(await jobs.call.pausedSchedules(), ['survival']);
  await save(jobs, [{ ...start, enabled: false }]);
  t.same(await jobs.call.pausedSchedules(), [], 'one that is off is not paused');
});

t.test('a change based on an outdated version is refused', async (t) => {
  const jobs = await startTestJobs(t);
  const { version } = await save(jobs, [hourly({ type: 'start' })]);
  await save(jobs, [], ADMIN, version);
  await t.rejects(save(jobs, [], ADMIN, version), { code: 'precondition_failed' });
});

t.test('a backup that was missed while nothing ran is caught up at the start and recorded', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = jobs.home.instanceDirectory('survival');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'level.dat'), 'world');
  await save(jobs, [hourly({ type: 'backup', cloudReplicate: false }, { id: 'nightly' })]);
  await jobs.stop();
  longAgo(jobs);
  await jobs.restart();
  const run = await until('the run has ended', async () =>
    (await jobs.call.scheduleHistory('survival')).find(({ result }) => result !== 'running'),
  );
  t.match(run, { scheduleId: 'nightly', action: 'backup', result: 'done', backupId: String });
  t.match(await jobs.call.backups({ instanceId: 'survival' }), [{ backupId: run.backupId ?? '', reason: 'schedule' }]);
  await jobs.restart();
  t.equal((await jobs.call.scheduleHistory('survival')).length, 1, 'it ran only once');
});

t.test('a run whose condition is not met, or that has nothing to do, is skipped with a reason', async (t) => {
  const jobs = await startTestJobs(t);
  await save(jobs, [
    hourly({ type: 'command', command: 'list' }, { id: 'command' }),
    hourly({ type: 'drill' }, { id: 'drill' }),
    hourly({ type: 'backup', cloudReplicate: false }, { id: 'backup', condition: 'players' }),
  ]);
  await jobs.stop();
  longAgo(jobs);
  await jobs.restart();
  const runs = await until('all three have ended', async () => {
    const ended = (await jobs.call.scheduleHistory('survival')).filter(({ result }) => result !== 'running');
    return ended.length === 3 ? ended : undefined;
  });
  t.same(Object.fromEntries(runs.map(({ scheduleId, result, reason }) => [scheduleId, `${result}: ${reason}`])), {
    command: 'skipped: The server was not running.',
    drill: 'skipped: There is no backup to rehearse a restore with.',
    backup: 'skipped: No players were online.',
  });
});

t.test('players are warned before a restart, and a second restart meanwhile is refused', async (t) => {
  const jobs = await startTestJobs(t);
  const announce = { secondsBefore: [1, 2], message: 'Back in a moment, {time} left' };
  const restart: ScheduleInput['action'] = { type: 'restart', announce };
  await save(jobs, [hourly(restart, { id: 'first' }), hourly(restart, { id: 'second' })]);
  await jobs.stop();
  longAgo(jobs);
  jobs.daemon.change('survival', { phase: 'running', playersOnline: 1 });
  await jobs.restart();
  await until(
    'the first has ended',
    async () => (await jobs.call.schedules('survival')).schedules[0]?.lastRun?.endedAt,
  );
  t.same((await jobs.daemon.supervisor('survival')).heard, [
    'say Back in a moment, 2 seconds left',
    'say Back in a moment, 1 second left',
    'restart',
  ]);
  const { schedules } = await jobs.call.schedules('survival');
  t.match(schedules, [
    { lastRun: { result: 'done' } },
    { lastRun: { result: 'refused', reason: /starting or stopping/ } },
  ]);
});

t.test('revoking a token cancels a countdown that it scheduled, and is recorded once', async (t) => {
  const jobs = await startTestJobs(t);
  const token = { id: 'leaked', name: 'bot' };
  jobs.daemon.tokens.set(token.id, token as TokenRecord);
  const by = { ...ADMIN, token };
  const stop = hourly({ type: 'stop', announce: { secondsBefore: [600] } }, { id: 'stop' });
  await save(jobs, [stop, hourly({ type: 'start' }, { id: 'off', enabled: false })], by);
  await save(jobs, [
    stop,
    hourly({ type: 'start' }, { id: 'off', enabled: false }),
    hourly({ type: 'start' }, { id: 'other' }),
  ]);
  await jobs.stop();
  longAgo(jobs, 'stop');
  jobs.daemon.change('survival', { phase: 'running', playersOnline: 1 });
  await jobs.restart();
  const { heard } = await jobs.daemon.supervisor('survival');
  await until('players were warned', () => heard.length === 1);
  jobs.daemon.revoke(token.id);
  await until('it is on record', () => jobs.daemon.audited.length > 0);
  const history = () => jobs.call.scheduleHistory('survival');
  const ended = await until('the run has ended', async () => {
    const runs = await history();
    return runs.every(({ endedAt }) => endedAt !== undefined) ? runs : undefined;
  });
  t.match(ended, [
    { scheduleId: 'stop', result: 'paused', reason: /token "bot"/ },
    { scheduleId: 'stop', result: 'cancelled', reason: /token "bot"/ },
  ]);
  t.same(jobs.daemon.audited, ['schedules PAUSE /instances/survival/schedules/stop']);
  await jobs.stop();
  longAgo(jobs, 'stop');
  await jobs.restart();
  await until('it was due again', async () => (await history()).length === 3);
  t.match((await history())[0], { scheduleId: 'stop', result: 'refused', reason: /token "bot"/ });
  t.same(heard, ['say The server stops in 10 minutes.']);
  t.equal(jobs.daemon.audited.length, 1, 'once');
  const { schedules } = await save(jobs, [{ ...stop, resume: true }]);
  t.match(schedules, [{ id: 'stop', savedBy: 'command line', paused: undefined }]);
});

t.test('drills of several schedules do not pile up', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = jobs.home.instanceDirectory('survival');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'level.dat'), 'world');
  await jobs.done(jobs.call.startBackup({ instanceId: 'survival', cloudReplicate: false, reason: 'manual' }));
  await save(
    jobs,
    ['a', 'b', 'c'].map((id) => hourly({ type: 'drill' }, { id })),
  );
  await jobs.stop();
  longAgo(jobs);
  await jobs.restart();
  const runs = await until('all have ended', async () => {
    const ended = (await jobs.call.scheduleHistory('survival')).filter(({ result }) => result !== 'running');
    return ended.length === 3 ? ended : undefined;
  });
  t.same(runs.map(({ result }) => result).sort(), ['done', 'refused', 'refused']);
});

t.test('removing a schedule cancels its countdown, and an empty server gets no announcements', async (t) => {
  const jobs = await startTestJobs(t);
  const action: ScheduleInput['action'] = { type: 'stop', announce: { secondsBefore: [600] } };
  await save(jobs, [hourly(action, { id: 'stop' })]);
  await jobs.stop();
  longAgo(jobs);
  jobs.daemon.change('survival', { phase: 'running', playersOnline: 1 });
  await jobs.restart();
  const { heard } = await jobs.daemon.supervisor('survival');
  await until('players were warned', () => heard.length === 1);
  await save(jobs, []);
  const history = () => jobs.call.scheduleHistory('survival');
  const [run] = await until('it has ended', async () => ((await history())[0]?.endedAt ? await history() : undefined));
  t.match(run, { result: 'cancelled', reason: /changed/ });
  t.same(heard, ['say The server stops in 10 minutes.']);

  await save(jobs, [hourly(action, { id: 'stop' })]);
  await jobs.stop();
  longAgo(jobs);
  jobs.daemon.change('survival', { phase: 'running', playersOnline: 0 });
  await jobs.restart();
  await until('it stopped at once', () => heard.includes('stop'));
  t.equal(heard.length, 2);
});

t.test('runs due at the same time take turns in the order of the list, even after a failure', async (t) => {
  const jobs = await startTestJobs(t);
  const folder = jobs.home.instanceDirectory('survival');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'level.dat'), 'world');
  await save(jobs, [
    hourly({ type: 'drill' }, { id: 'drill' }),
    hourly({ type: 'backup', cloudReplicate: false }, { id: 'backup' }),
    hourly({ type: 'restart', announce: { secondsBefore: [] } }, { id: 'restart' }),
    hourly({ type: 'command', command: 'say good morning' }, { id: 'command' }),
  ]);
  await jobs.stop();
  longAgo(jobs);
  jobs.daemon.change('survival', { phase: 'running', playersOnline: 0 });
  const supervisor = await jobs.daemon.supervisor('survival');
  const slow = Promise.withResolvers<void>();
  supervisor.onHold = () => slow.promise.then(() => ({ quiesced: true }));
  await jobs.restart();
  await until('the backup is running', () => supervisor.heard.includes('hold backing-up'));
  t.match(
    (await jobs.call.schedules('survival')).schedules.map(({ lastRun }) => lastRun?.result),
    ['skipped', 'running', 'running', 'running'],
    'the waiting change is recorded',
  );
  t.same(supervisor.heard, ['hold backing-up']);
  slow.resolve();
  await until('the last job has ended', () => supervisor.heard.includes('say good morning'));
  t.same(
    supervisor.heard.filter((what) => what !== 'renew'),
    ['hold backing-up', 'release', 'restart', 'say good morning'],
  );
});

t.test('software without a command for announcements gets none, and the countdown still passes', async (t) => {
  const jobs = await startTestJobs(t);
  await save(jobs, [hourly({ type: 'stop', announce: { secondsBefore: [1] } }, { id: 'stop' })]);
  await jobs.stop();
  longAgo(jobs);
  const record = jobs.daemon.instances.get('survival')!;
  jobs.daemon.instances.set('survival', { ...record, config: { ...record.config, software: 'velocity' } });
  jobs.daemon.change('survival', { phase: 'running', playersOnline: 1 });
  await jobs.restart();
  const begun = performance.now();
  const { heard } = await jobs.daemon.supervisor('survival');
  await until('it is stopped', () => heard.length > 0);
  t.same(heard, ['stop']);
  t.ok(performance.now() - begun > 500);
});

t.test('a stop also ends sleep and the wait for a restart after a crash', async (t) => {
  const jobs = await startTestJobs(t);
  const { heard } = await jobs.daemon.supervisor('survival');
  const runtimes: InstanceRuntime[] = [
    { phase: 'sleeping' },
    { phase: 'crashed', javaProgram: null },
    { phase: 'crashed' },
    { phase: 'stopped' },
  ];
  let ended = 0;
  for (const runtime of runtimes) {
    jobs.daemon.change('survival', runtime);
    await save(jobs, []);
    await save(jobs, [hourly({ type: 'stop', announce: { secondsBefore: [] } }, { id: 'stop' })]);
    await jobs.stop();
    longAgo(jobs);
    await jobs.restart();
    await until('one more job has ended', async () => {
      const history = await jobs.call.scheduleHistory('survival');
      return history.length > ended && history[0]?.endedAt;
    });
    ended++;
  }
  t.same(heard, ['stop', 'stop']);
  t.same(
    (await jobs.call.scheduleHistory('survival')).map(({ result }) => result),
    ['skipped', 'skipped', 'done', 'done'],
  );
});

t.test('a restart waits for a backup, before and after the announcements', async (t) => {
  const jobs = await startTestJobs(t);
  const announce = { secondsBefore: [1], message: '{time}' };
  await save(jobs, [hourly({ type: 'restart', announce }, { id: 'restart' })]);
  await jobs.stop();
  longAgo(jobs);
  const playing: InstanceRuntime = { phase: 'running', playersOnline: 1 };
  jobs.daemon.change('survival', { ...playing, activity: 'backing-up' });
  const supervisor = await jobs.daemon.supervisor('survival');
  await jobs.restart();
  const run = async () => (await jobs.call.scheduleHistory('survival'))[0];
  await until('it is running', async () => (await run())?.result === 'running');
  t.same(supervisor.heard, []);
  supervisor.onRestart = () => {
    supervisor.onRestart = () => undefined;
    throw new GamekeeperError('backup_in_progress', 'The instance is being backed up.');
  };
  jobs.daemon.change('survival', playing);
  await until('it has ended', async () => (await run())?.endedAt);
  t.match(await run(), { result: 'done' });
  t.same(supervisor.heard, ['say 1 second', 'restart', 'restart']);
});

t.test('a full disk neither prevents the start of the process nor ends it', async (t) => {
  const jobs = await startTestJobs(t);
  await save(jobs, [
    hourly({ type: 'drill' }, { id: 'made-up' }),
    hourly({ type: 'drill' }, { id: 'missed', missed: { policy: 'skip', graceMinutes: 60 } }),
  ]);
  await jobs.stop();
  longAgo(jobs);
  onDatabase(
    jobs,
    `INSERT INTO schedule_run (instance_id, run) VALUES ('survival', '{"result":"running","plannedAt":"x"}');
     CREATE TRIGGER full_a BEFORE UPDATE ON schedule WHEN NEW.schedule_id = 'made-up' BEGIN SELECT RAISE(ABORT, 'full'); END;
     CREATE TRIGGER full_b BEFORE UPDATE ON schedule_run BEGIN SELECT RAISE(ABORT, 'full'); END;
     CREATE TRIGGER full_c BEFORE INSERT ON schedule_run BEGIN SELECT RAISE(ABORT, 'full'); END;
     CREATE TRIGGER full_d BEFORE DELETE ON backup_schema BEGIN SELECT RAISE(ABORT, 'full'); END;`,
  );
  await jobs.restart();
  t.equal((await jobs.call.scheduleHistory('survival')).length, 1);
  await jobs.stop();
  onDatabase(jobs, 'DROP TRIGGER full_a; DROP TRIGGER full_b; DROP TRIGGER full_c; DROP TRIGGER full_d;');
  await jobs.restart();
  const history = await until('the interrupted run is recorded', async () => {
    const runs = await jobs.call.scheduleHistory('survival');
    return runs.length === 2 && runs[0]?.result !== 'running' ? runs : undefined;
  });
  t.match(history, [
    { scheduleId: 'made-up', result: 'skipped' },
    { result: 'failed', reason: /ended during/ },
  ]);
});

t.test('schedules are deleted with their instance', async (t) => {
  const jobs = await startTestJobs(t);
  await save(jobs, [hourly({ type: 'start' })]);
  await jobs.stop();
  const record = jobs.daemon.instances.get('survival')!;
  jobs.daemon.instances.set('survival', {
    ...record,
    config: { ...record.config, createdAt: '2026-11-20T09:00:00.000Z' },
  });
  await jobs.restart();
  await until(
    'another instance with the same id does not inherit them',
    async () => (await jobs.call.schedules('survival')).schedules.length === 0,
  );
});

/** Makes the schedules look as if they were saved and last checked hours ago. */
function longAgo(jobs: TestJobs, scheduleId = '%'): void {
  onDatabase(
    jobs,
    `UPDATE schedule SET considered_at = considered_at - 7200000 WHERE schedule_id LIKE '${scheduleId}'`,
  );
}

function onDatabase({ home }: Pick<TestJobs, 'home'>, sql: string): void {
  const database = new DatabaseSync(home.database);
  database.exec(sql);
  database.close();
}
