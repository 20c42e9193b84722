import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { createReadyFile } from '../../../daemon/home/ready-file.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

t.test('the record exists from ready to the end, with the current addresses', async (t) => {
  const file = path.join(temporaryFolder(t), 'daemon.json');
  const ready = createReadyFile(file);
  const read = async () => JSON.parse(await readFile(file, 'utf8'));
  await ready.moved({ panel: null, remote: null });
  t.notOk(existsSync(file), 'absent before it is ready');
  const record = { pid: 1, version: '1', panel: 'http://127.0.0.1:1', remote: 'http://127.0.0.1:2' };
  await ready.announce(record);
  t.same(await read(), record);
  await ready.moved({ panel: null, remote: null });
  t.same(await read(), { pid: 1, version: '1', panel: null, remote: null });
  await Promise.all([ready.moved(record), ready.remove(), ready.moved(record)]);
  t.notOk(existsSync(file), 'absent after it has ended');
});
