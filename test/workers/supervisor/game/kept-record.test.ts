import t from 'tap';
import { keepRecord } from '../../../../workers/supervisor/game/kept-record.ts';
import { until } from '../../../support/machine/until.ts';

t.test('a record that cannot be written is tried again until it can, and said once', async (t) => {
  const said: string[] = [];
  let attempts = 0;
  const kept = keepRecord(
    async () => {
      if (++attempts < 3) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    },
    (_level, message) => said.push(message),
  );
  await kept.update();
  t.equal(attempts, 1, 'nobody is kept waiting for the others');
  await until('it is written', () => attempts === 3);
  await kept.end();
  t.equal(said.length, 1);
});

t.test('what is over is not written any more', async (t) => {
  let attempts = 0;
  const kept = keepRecord(
    async () => {
      attempts++;
      throw new Error('never');
    },
    () => undefined,
  );
  await kept.update();
  await kept.end();
  await kept.update();
  t.equal(attempts, 1);
});
