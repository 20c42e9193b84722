import t from 'tap';
import { isBelow, isRelease } from '../../../../shared/domain/software/minecraft-version.ts';

t.test('versions of Minecraft have an order, snapshots do not', async (t) => {
  for (const [version, limit] of [
    ['1.9', '1.13'],
    ['1.12.2', '1.13'],
    ['1.21.11', '26.1'],
    ['b1.7.3', '1.5.2'],
    ['1.16.5-rc1', '1.17'],
  ] as const)
    t.ok(isBelow(version, limit), version);
  for (const version of ['1.13', '1.13.2', '24w14a', 'latest', '26.1']) t.notOk(isBelow(version, '1.13'), version);
  t.same(['1.21.8', '26.1', '1.21.9-rc1', '25w14a'].map(isRelease), [true, true, false, false]);
});
