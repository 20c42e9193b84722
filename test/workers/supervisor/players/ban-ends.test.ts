import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { BanEnds } from '../../../../workers/supervisor/players/ban-ends.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

t.test('keeps ends on disk, one for each player, whatever the case of the name', async (t) => {
  const file = path.join(temporaryFolder(t), 'ban-ends.json');
  const open = () => new BanEnds(file, (_level, message) => t.fail(message));
  const ends = open();
  await ends.set({ name: 'Anna', bannedAt: 1, endsAt: 2 });
  await ends.set({ name: 'anna', bannedAt: 3, endsAt: 4 });
  await ends.set({ name: 'Ben', bannedAt: 5, endsAt: 6 });
  t.same(open().of('ANNA'), { name: 'anna', bannedAt: 3, endsAt: 4 });
  await ends.forget('Anna');
  t.same(open().all, [{ name: 'Ben', bannedAt: 5, endsAt: 6 }]);
  writeFileSync(file, '[{}]');
  t.same(open().all, [], 'a damaged file does not stop a server');
});

t.test('is limited, and survives a disk that is full', async (t) => {
  const warnings: string[] = [];
  const ends = new BanEnds(path.join(temporaryFolder(t), 'none', 'ban-ends.json'), (_level, message) => {
    warnings.push(message);
  });
  ends.assertSpace();
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => ends.set({ name: `P${n}`, bannedAt: n, endsAt: n })));
  t.throws(() => ends.assertSpace(), { code: 'invalid_state', message: /1,000/ });
  t.equal(ends.of('p7')?.endsAt, 7, 'it counts although it could not be written');
  t.match(warnings[0], /could not be written/);
});
