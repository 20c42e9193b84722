import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fakeGateway, gamekeeper } from '../fake-gateway.ts';

const AT = '/instances/demo/backups/b1/files';
const modifiedAt = '2026-11-20T08:15:00.000Z';
const FOLDER = { name: 'world', kind: 'folder', sizeBytes: 0, modifiedAt };
const FILE = { name: 'a\u001b[2J.txt', kind: 'file', sizeBytes: 2_048, modifiedAt };

t.test('all pages of a folder in a backup are listed', async (t) => {
  const { home, asked } = await fakeGateway(t, ({ path: url }) =>
    url.includes('cursor=') ? { body: { entries: [FILE] } } : { body: { entries: [FOLDER], next: '1' } },
  );
  const command = ['backup', 'files', 'demo', 'b1', 'my plugins/ä'];
  const { code, stdout } = await gamekeeper(home, command);
  t.equal(code, 0);
  t.match(stdout, /world\/ +folder/);
  t.match(stdout, / 2\.0 KiB|2 KiB|2\.0 kB|2\.05 kB/);
  t.notMatch(stdout, '\u001b[2J', 'a name cannot control the terminal');
  t.same(
    asked.map(({ path: url }) => url),
    [`${AT}?path=my%20plugins%2F%C3%A4`, `${AT}?path=my%20plugins%2F%C3%A4&cursor=1`],
  );
  const json = await gamekeeper(home, [...command, '--json']);
  t.match(JSON.parse(json.stdout), { entries: [{ name: 'world' }, { sizeBytes: 2_048 }] });
});

t.test('what differs from today is listed', async (t) => {
  const side = { kind: 'file', sizeBytes: 1, modifiedAt };
  const differences = [
    { path: 'new', change: 'added', today: { ...side, kind: 'folder' } },
    { path: 'server.properties', change: 'changed', backup: side, today: side },
  ];
  const { home, asked } = await fakeGateway(t, () => ({ body: { differences } }));
  const { stdout } = await gamekeeper(home, ['backup', 'files', 'demo', 'b1', '--compare']);
  t.match(stdout, /added +new\//);
  t.match(stdout, /changed +server\.properties/);
  t.equal(asked[0]?.path, `${AT}/compare?path=`);
});

t.test('a file is copied out of a backup, and replaces nothing', async (t) => {
  const { home, asked } = await fakeGateway(t, ({ path: url }) =>
    url.includes('none')
      ? { status: 404, body: { code: 'file_not_found', detail: 'This backup has no "none".', resolution: 'List it.' } }
      : { body: { motd: 'hi' } },
  );
  const output = path.join(temporaryFolder(t), 'copy.json');
  const copy = (at: string) => gamekeeper(home, ['backup', 'files', 'demo', 'b1', at, '--output', output]);
  const missing = await copy('none');
  t.equal(missing.code, 1);
  t.match(missing.stderr, /This backup has no "none"/);
  t.notOk(existsSync(output));

  const { code, stdout } = await copy('a.json');
  t.equal(code, 0);
  t.match(stdout, output);
  t.equal(readFileSync(output, 'utf8'), '{"motd":"hi"}');
  t.equal(asked.at(-1)?.path, `${AT}/content?path=a.json`);

  const again = await copy('a.json');
  t.equal(again.code, 1);
  t.match(again.stderr, /exists already/);
});
