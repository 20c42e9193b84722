import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { readCustomSoftware } from '../../../../daemon/software/read-custom-software.ts';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { someEgg } from '../../software/import/eggs.ts';
import { gamekeeper } from '../fake-gateway.ts';

t.test('an egg is shown in full, saved only on request, and then known', async (t) => {
  const folder = temporaryFolder(t);
  const home = homeAt(path.join(folder, 'home'));
  const egg = path.join(folder, 'egg.json');
  writeFileSync(egg, JSON.stringify(someEgg(0)));
  const shown = await gamekeeper(home, ['kind', 'import', egg, '--as', 'space']);
  t.equal(shown.code, 0, shown.stderr);
  for (const text of ['"kind": "space"', 'never run', '+app_update', 'Note: ', 'Nothing was saved.'])
    t.match(shown.stdout, text);
  t.notOk(existsSync(home.software));

  const saved = await gamekeeper(home, [
    'kind',
    'import',
    egg,
    '--as',
    'space',
    '--port',
    '16261/tcp',
    '--save',
    '--json',
  ]);
  const place = path.join(home.software, 'space.json');
  t.match(JSON.parse(saved.stdout), { saved: place, file: { gamePort: { first: 16_261, transport: 'tcp' } } });
  t.match(await readCustomSoftware(home.software), { problems: [], kinds: [{ kind: 'space' }] });

  writeFileSync(place, readFileSync(place, 'utf8').replace('"operator"', '"everyone"'));
  t.match(await gamekeeper(home, ['kind', 'validate', place]), {
    code: 1,
    stdout: /not valid: variables\.0\.editableBy: /,
  });
});

t.test('an egg at an address is saved only as it was shown', async (t) => {
  const home = homeAt(path.join(temporaryFolder(t), 'home'));
  const eggs = [someEgg(0), someEgg(1), someEgg(1)].map((egg) => JSON.stringify(egg));
  const server = createServer(({ url }, response) => {
    if (url === '/large') response.end(' '.repeat(1_048_577));
    else if (url === '/elsewhere') response.writeHead(302, { location: 'http://gamekeeper.invalid/egg.json' }).end();
    else if (url === '/egg.json') response.end(eggs.shift());
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = (name: string, ...options: string[]) =>
    gamekeeper(home, ['kind', 'import', `${base}/${name}`, '--as', 'space', ...options]);

  const shown = await run('egg.json');
  t.equal(shown.code, 0, shown.stderr);
  const [, hash = ''] = /--save --sha256 ([0-9a-f]{64})/.exec(shown.stdout) ?? [];
  t.match(await run('egg.json', '--save', '--sha256', hash), { code: 2, stderr: /does not have that SHA-256/ });
  t.notOk(existsSync(home.software));
  const again = await run('egg.json', '--json');
  eggs.push(JSON.stringify(someEgg(1)));
  const { sha256 } = JSON.parse(again.stdout);
  t.match(await run('egg.json', '--save', '--sha256', sha256), { code: 0, stdout: /Saved .*space\.json/ });

  eggs.push(JSON.stringify(someEgg(1)));
  t.match(await run('egg.json', '--save'), { code: 2, stderr: /An address can answer something else/ });
  t.match(await run('large'), { code: 1, stderr: /larger than 1 MiB/ });
  t.match(await run('missing'), { code: 1, stderr: /answers with status 404/ });
  t.match(await run('elsewhere'), { code: 1, stderr: /cannot be read/ });
  for (const address of ['http://gamekeeper.invalid/egg.json', 'HTTP://192.0.2.1/egg.json'])
    t.match(await gamekeeper(home, ['kind', 'import', address]), { code: 2, stderr: /begins with https/ });
});

t.test('what cannot be imported is refused with the reason', async (t) => {
  const folder = temporaryFolder(t);
  const home = homeAt(path.join(folder, 'home'));
  const file = path.join(folder, 'egg.json');
  const refusals: [string, string[], RegExp][] = [
    [JSON.stringify({ ...someEgg(0), startup: 'wine server.exe' }), [], /needs Wine/],
    [JSON.stringify(someEgg(0)), ['--as', 'paper'], /"paper" ships with Gamekeeper/],
  ];
  for (const [text, options, message] of refusals) {
    writeFileSync(file, text);
    const { code, stderr } = await gamekeeper(home, ['kind', 'import', file, '--save', ...options]);
    t.not(code, 0);
    t.match(stderr, message);
  }
  t.match(await gamekeeper(home, ['kind', 'import', 'nowhere.json']), {
    code: 2,
    stderr: /nowhere\.json does not exist/,
  });
  t.notOk(existsSync(home.software));
});
