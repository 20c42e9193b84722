import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { BanEnds } from '../../../../../workers/supervisor/players/bans/ban-ends.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

t.test('keeps ends on disk, one for each player, whatever the case of the name', async (t) => {
  const file = path.join(temporaryFolder(t), 'ban-ends.json');
  const warnings: string[] = [];
  const open = () => new BanEnds(file, (_level, message) => warnings.push(message));
  const ends = open();
  await ends.set({ name: 'Anna', bannedAt: 1, endsAt: 2 });
  await ends.set({ name: 'anna', bannedAt: 3, endsAt: 4 });
  await ends.set({ name: 'Ben', bannedAt: 5, endsAt: 6 });
  t.same(open().of('ANNA'), { name: 'anna', bannedAt: 3, endsAt: 4 });
  await ends.forget('Anna');
  t.same(open().all, [{ name: 'Ben', bannedAt: 5, endsAt: 6 }]);
  t.same(warnings, []);
  for (const damaged of ['[{}]', '{}', '[{"name":']) {
    writeFileSync(file, damaged);
    t.same(open().all, [], 'a damaged file does not stop a server');
    t.match(warnings.pop(), /damaged/);
  }
});

t.test(
  'keeps an end that was replaced meanwhile, and writes nothing once it belongs to another supervisor',
  async (t) => {
    const file = path.join(temporaryFolder(t), 'ban-ends.json');
    const ends = new BanEnds(file, (_level, message) => t.fail(message));
    await ends.set({ name: 'Anna', bannedAt: 1, endsAt: 2 });
    await ends.set({ name: 'Ben', bannedAt: 1, endsAt: 2 });
    const before = ends.all;
    const renewed = { name: 'Ben', bannedAt: 3, endsAt: 4 };
    await ends.set(renewed);
    await ends.forgetAll(before);
    t.same(ends.all, [renewed]);
    await ends.release();
    await ends.forget('Ben');
    t.same(JSON.parse(readFileSync(file, 'utf8')), [renewed]);
  },
);

t.test('is limited', async (t) => {
  const ends = new BanEnds(path.join(temporaryFolder(t), 'ban-ends.json'), (_level, message) => t.fail(message));
  ends.assertSpace();
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => ends.set({ name: `P${n}`, bannedAt: n, endsAt: n })));
  t.throws(() => ends.assertSpace(), { code: 'invalid_state', message: /1,000/ });
});

t.test('an end that cannot be written is refused, and the former one counts', async (t) => {
  const folder = path.join(temporaryFolder(t), 'logs');
  const warnings: string[] = [];
  const ends = new BanEnds(path.join(folder, 'ban-ends.json'), (_level, message) => warnings.push(message));
  mkdirSync(folder);
  await ends.set({ name: 'Anna', bannedAt: 1, endsAt: 2 });
  rmSync(folder, { recursive: true });
  for (const name of ['anna', 'Ben']) await t.rejects(ends.set({ name, bannedAt: 3, endsAt: 4 }), { code: 'ENOENT' });
  t.same(ends.all, [{ name: 'Anna', bannedAt: 1, endsAt: 2 }]);
  await ends.forget('Anna');
  t.match(warnings, [/could not be written/], 'an end without its ban does nothing');
});
