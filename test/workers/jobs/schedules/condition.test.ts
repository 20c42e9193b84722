import t from 'tap';
import { whySkipped } from '../../../../workers/jobs/schedules/condition.ts';

t.test('a run that needs an empty server says whether players were online or nobody knows', async (t) => {
  t.match(whySkipped('empty', { phase: 'running' }), /^It is not known how many players were online/);
  t.equal(whySkipped('empty', { phase: 'running', playersOnline: 0, players: ['Anna'] }), 'Players were online.');
  t.equal(whySkipped('empty', { phase: 'running', playersOnline: 0 }), undefined);
  t.equal(whySkipped('empty', { phase: 'stopped' }), undefined);
});

t.test('a run that needs players runs if there may be some', async (t) => {
  t.equal(whySkipped('players', { phase: 'running' }), undefined);
  t.equal(whySkipped('players', { phase: 'running', playersOnline: 0 }), 'No players were online.');
});
