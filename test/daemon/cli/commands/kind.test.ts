import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
