import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { createJarScanner } from '../../../../../workers/jobs/mods/folder/jar-scanner.ts';
import type { Pool } from '../../../../../workers/jobs/resources/pool.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';

const NEVER = new AbortController().signal;

t.test('concurrent scans read each jar once, in at most two threads', async (t) => {
  const root = temporaryFolder(t);
  const servers = ['one', 'two', 'three', 'four'].map((name) => path.join(root, name));
  for (const server of servers) {
    mkdirSync(server);
    writeFileSync(path.join(server, 'a.jar'), server);
  }
  const tasks: { files: string[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const run = (_name: string, { files }: { files: string[] }) => {
    const { promise, resolve, reject } = Promise.withResolvers<object[]>();
    tasks.push({ files, finish: () => resolve(files.map((file) => ({ sha512: file }))), fail: reject });
    return promise;
  };
  const scan = createJarScanner({ run } as unknown as Pool);
  const leaving = new AbortController();
  const left = scan(servers[0]!, leaving.signal);
  const looks = servers.flatMap((server) => [scan(server, NEVER), scan(server, NEVER), scan(server, NEVER)]);
  await until('two files are being read', () => tasks.length === 2);
  leaving.abort(new Error('left'));
  await t.rejects(left, { message: 'left' });
  for (let done = 0; done < servers.length; done++) {
    await until('the next file is read', () => tasks.length > done);
    t.ok(tasks.length <= done + 2, `${tasks.length} at the same time`);
    tasks[done]!.finish();
  }
  const found = await Promise.all(looks);
  t.equal(found.length, 12);
  for (const jars of found) t.match(jars, [{ file: 'a.jar', sha512: /a\.jar$/ }]);
  t.equal(tasks.length, servers.length);

  writeFileSync(path.join(servers[0]!, 'b.jar'), 'new');
  const again = scan(servers[0]!, NEVER);
  await until('the new file is read', () => tasks.length > servers.length);
  t.same(tasks.at(-1)!.files, [path.join(servers[0]!, 'b.jar')]);
  tasks.at(-1)!.fail(new Error('no thread'));
  await t.rejects(again, { message: 'no thread' });
  const last = scan(servers[0]!, NEVER);
  await until('it is retried', () => tasks.length > servers.length + 1);
  tasks.at(-1)!.finish();
  t.equal((await last).length, 2);
});
