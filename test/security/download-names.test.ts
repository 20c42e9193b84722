/**
 * The file names of downloads are made of ids, whose alphabet is narrow, so a name of a server with quotes, line ends or marks that turn the
 * direction of text cannot add a header or disguise an ending.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const NAMES = [
  'a"; filename="evil.exe',
  'b\u202egnp.exe',
  'c%0d%0aSet-Cookie: x=1',
  "d'; filename*=UTF-8''evil.exe",
  '../../e',
];

const gamekeeper = await startGamekeeper(t);
for (const name of NAMES) {
  t.test(JSON.stringify(name), async (t) => {
    const created = await gamekeeper.api<{ id: string }>('POST', '/instances', { name, software: 'demo' });
    if (created.status === 400) {
      t.pass('the name is refused');
      return;
    }
    const { id } = created.body;
    mkdirSync(path.join(gamekeeper.home, 'instances', id), { recursive: true });
    writeFileSync(path.join(gamekeeper.home, 'instances', id, 'a.txt'), 'a');
    const { body } = await gamekeeper.api<{ backupId: string }>('POST', `/instances/${id}/backup`);
    const headers = { authorization: `Bearer ${await gamekeeper.token()}` };
    for (const below of ['export', `backups/${body.backupId}/archive`]) {
      const answer = await fetch(`${gamekeeper.addresses().panel}/instances/${id}/${below}`, { headers });
      await answer.arrayBuffer();
      t.equal(answer.status, 200);
      t.match(answer.headers.get('content-disposition'), /^attachment; filename="[a-z0-9][A-Za-z0-9-]*\.zip"$/);
      t.equal(answer.headers.get('set-cookie'), null);
    }
  });
}

t.test('an id that would not be a safe file name is refused', async (t) => {
  for (const id of ['a"b', 'a\nb', 'a\u202eb', 'a;b', 'A', '']) {
    const { status } = await gamekeeper.api('POST', '/instances', { name: 'x', id, software: 'demo' });
    t.equal(status, 400, JSON.stringify(id));
  }
});
