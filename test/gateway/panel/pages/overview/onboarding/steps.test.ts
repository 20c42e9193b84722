import t from 'tap';
import type { Schedule } from '../../../../../../gateway/panel/src/api/schedules.ts';
import type { Instance } from '../../../../../../gateway/panel/src/api/transport/client.ts';
import { doneSteps, type Setup } from '../../../../../../gateway/panel/src/pages/overview/onboarding/steps.ts';

const server = (more: Partial<Instance> = {}): Instance => ({
  ...{ id: 'a', name: 'A', software: 'paper', version: '1.21.8', port: 25_565, status: 'stopped' },
  ...more,
});
const schedule = (type: string, more: Partial<Schedule> = {}) =>
  ({ enabled: true, action: { type }, ...more }) as Schedule;

const NEW: Setup = { instances: [server()], schedules: [], users: 1, isAnnounced: false, totp: false };
const done = (more: Partial<Setup>) => doneSteps({ ...NEW, ...more });

t.test('in a new Gamekeeper nothing is done', async (t) => {
  t.same(doneSteps(NEW), []);
  t.same(done({ instances: [server({ phase: 'crashed' }), server({ phase: 'starting', status: 'starting' })] }), []);
  t.same(done({ schedules: [schedule('restart'), schedule('backup', { enabled: false })] }), []);
  t.same(done({ schedules: [schedule('backup', { paused: 'Its user was removed.' })] }), []);
});

t.test('each step is done by one thing', async (t) => {
  t.same(done({ instances: [server(), server({ status: 'running' })] }), ['start']);
  t.same(done({ instances: [server({ phase: 'sleeping' })] }), ['start']);
  t.same(done({ instances: [server({ publicAddress: 'play.example.net' })] }), ['address']);
  t.same(done({ isAnnounced: true }), ['address']);
  t.same(done({ users: 2 }), ['people']);
  t.same(done({ schedules: [schedule('backup')] }), ['backups']);
  t.same(done({ totp: true }), ['factor']);
});
