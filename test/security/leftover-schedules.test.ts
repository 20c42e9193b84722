/**
 * What a leaked token scheduled does not outlive the token: revoking it pauses the schedules that were saved with it, and says so. They stay
 * paused until somebody with the right resumes them on purpose.
 */
import t from 'tap';
import type { AuditPage } from '../../shared/schema/audit.ts';
import type { CreatedToken } from '../../shared/schema/credentials.ts';
import type { Schedule, ScheduleRun } from '../../shared/schema/schedule.ts';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const BACK_DOOR = { id: 'door', name: 'Door', cron: '* * * * *', action: { type: 'command', command: 'op mallory' } };
const NIGHTLY = { id: 'nightly', name: 'Nightly', cron: '0 4 * * *', action: { type: 'backup' } };

const gamekeeper = await startGamekeeper(t);
const admin = await signedInAdmin(gamekeeper);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const where = '/instances/demo/schedules';

async function schedules(): Promise<Record<string, Schedule>> {
  const { body } = await admin.api<{ schedules: Schedule[] }>('GET', where);
  return Object.fromEntries(body.schedules.map((schedule) => [schedule.id, schedule]));
}

t.test('revoking a token pauses what was scheduled with it', async (t) => {
  const leaked = (await admin.api<CreatedToken>('POST', '/api/tokens', { name: 'leaked' })).body;
  const headers = { authorization: `Bearer ${leaked.token}` };
  t.equal((await admin.api('PUT', where, { schedules: [NIGHTLY] })).status, 200);
  t.equal((await gamekeeper.api('PUT', where, { schedules: [NIGHTLY, BACK_DOOR] }, headers)).status, 200);
  const before = await schedules();
  t.match(before.door, { savedBy: 'admin (token leaked)', paused: undefined });
  t.equal((await admin.api('DELETE', `/api/tokens/${leaked.id}`)).status, 204);
  const { door, nightly } = await schedules();
  t.match(door, { paused: /It was saved with the token "leaked", which was revoked or has expired\./, nextRuns: [] });
  t.match(nightly, { savedBy: 'admin', paused: undefined, nextRuns: { length: 5 } });

  const run = await until('the history says so', async () => {
    const { body } = await admin.api<{ runs: ScheduleRun[] }>('GET', `${where}/history`);
    return body.runs.find(({ scheduleId, result }) => scheduleId === 'door' && result === 'paused');
  });
  t.match(run.reason, /token "leaked"/);
  await until('the audit trail says so', async () => {
    const { body } = await admin.api<AuditPage>('GET', '/api/audit?instance=demo');
    return body.entries.some(({ who, path }) => who === 'schedules' && path === `${where}/door`);
  });
});

t.test('it stays paused when others are changed, and runs again when somebody resumes it', async (t) => {
  const { door, nightly } = await schedules();
  t.equal((await admin.api('PUT', where, { schedules: [{ ...nightly, enabled: false }, door] })).status, 200);
  t.match((await schedules()).door, { paused: /token "leaked"/, savedBy: 'admin (token leaked)' });
  t.equal((await admin.api('PUT', where, { schedules: [nightly, { ...door, resume: true }] })).status, 200);
  t.match((await schedules()).door, { paused: undefined, savedBy: 'admin' });
});

t.test('a token of the command line is revoked in the same way', async (t) => {
  const made = await gamekeeper.cli('token', 'create', '--name', 'tour', '--json');
  const { id, token } = JSON.parse(made.stdout) as CreatedToken;
  const headers = { authorization: `Bearer ${token}` };
  t.equal(
    (await gamekeeper.api('PUT', where, { schedules: [{ ...BACK_DOOR, name: 'Another' }] }, headers)).status,
    200,
  );
  t.equal((await schedules()).door?.paused, undefined);
  t.equal((await admin.api('DELETE', `/api/tokens/${id}`)).status, 204);
  t.match((await schedules()).door, { paused: /token "tour"/, nextRuns: [] });
});
