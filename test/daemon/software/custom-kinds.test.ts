import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createCustomKinds } from '../../../daemon/software/custom-kinds.ts';
import { followCustomSoftware } from '../../../daemon/software/custom-software.ts';
import { setCustomSoftware, softwareOf } from '../../../shared/domain/software/catalogue.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

const ARENA = { kind: 'arena', extends: 'custom', title: 'Arena' };

const EGG = {
  meta: { version: 'PTDL_v2' },
  name: 'Space Game',
  docker_images: { Debian: 'debian' },
  startup: './space --port {{SERVER_PORT}}',
  config: { files: '{}', startup: '{"done": "ready"}', stop: 'quit', logs: '{}' },
  scripts: { installation: { script: 'touch /tmp/was-run', container: 'debian', entrypoint: 'bash' } },
  variables: [],
};

async function kindsIn(t: Test, servers: { name: string; software: string }[] = []) {
  const folder = path.join(temporaryFolder(t), 'software');
  mkdirSync(folder);
  const files = await followCustomSoftware({ folder, log: createLogger({ name: 'test', level: 'silent' }) });
  t.teardown(files.close);
  t.teardown(() => setCustomSoftware([]));
  return { folder, ...createCustomKinds({ folder, files, instances: () => servers }) };
}

t.test('a file, an egg and what is neither are checked, and nothing is saved', async (t) => {
  const { folder, checkKind } = await kindsIn(t);
  const own = await checkKind(`\uFEFF${JSON.stringify(ARENA)}`);
  t.same(own, { kind: 'arena', title: 'Arena', text: `${JSON.stringify(ARENA, null, 2)}\n`, notes: [], scripts: [] });
  const egg = await checkKind(JSON.stringify(EGG));
  t.match(egg, { kind: 'space-game', title: 'Space Game', scripts: [{ text: 'touch /tmp/was-run' }] });
  t.notOk(egg.problem);
  t.ok(egg.notes.length > 0);
  t.match(JSON.parse(egg.text), { kind: 'space-game', launch: { program: { linux: 'space' } } });
  t.match(await checkKind(JSON.stringify({ ...ARENA, kind: 'paper' })), { problem: /^kind: "paper" ships/ });
  t.match(await checkKind(JSON.stringify({ ...ARENA, colour: 'red' })), { problem: /"colour"/ });
  t.match(await checkKind(JSON.stringify({ kind: 'x', extends: 'nothing' })), { problem: /^extends: unknown kind/ });
  const deep = `${'[{"a":'.repeat(3_000)}1${'}]'.repeat(3_000)}`;
  for (const text of [`{"kind":"x","title":${deep}}`, JSON.stringify({ kind: 'x', title: Array(300_000).fill(1) })])
    await t.rejects(checkKind(text), { code: 'invalid_request', message: /larger than 1 MiB, or nested too deeply/ });
  await t.rejects(checkKind('{'), { code: 'invalid_request' });
  await t.rejects(checkKind('hello'), { code: 'invalid_request', message: /neither an egg/ });
  t.same(readdirSync(folder), []);
});

t.test('a saved kind is known at once, and replaces nothing', async (t) => {
  const { folder, saveKind } = await kindsIn(t);
  t.match(await saveKind(JSON.stringify(ARENA)), { kind: 'arena', launch: { type: 'program' } });
  t.match(JSON.parse(readFileSync(path.join(folder, 'arena.json'), 'utf8')), ARENA);
  t.match(softwareOf('arena'), { title: 'Arena' });
  await t.rejects(saveKind(JSON.stringify(ARENA)), { code: 'software_exists', message: /have a kind "arena"/ });
  await t.rejects(saveKind(JSON.stringify({ ...ARENA, kind: 'paper' })), { code: 'software_exists', message: /ships/ });
  writeFileSync(path.join(folder, 'broken.json'), '{');
  await t.rejects(saveKind(JSON.stringify({ ...ARENA, kind: 'broken' })), {
    ...{ code: 'software_exists', message: /^broken\.json is in the software folder/ },
  });
  t.equal(readFileSync(path.join(folder, 'broken.json'), 'utf8'), '{');
  await t.rejects(saveKind(JSON.stringify({ ...ARENA, kind: '../arena' })), {
    ...{ code: 'invalid_request', message: /kind: must be 1 to 32 lower-case letters/ },
  });
  t.notOk(existsSync(path.join(folder, '../arena.json')));
  await t.rejects(saveKind(JSON.stringify(EGG)), { code: 'invalid_request', resolution: /POST \/software\/check/ });
  await t.rejects(saveKind(JSON.stringify({ ...ARENA, kind: 'slow', readyPattern: '(a+)+$' })), {
    ...{ code: 'invalid_request', message: /readyPattern/ },
  });
});

t.test('a kind is removed if neither a server nor another kind needs it', async (t) => {
  const servers = [{ name: 'My arena', software: 'arena' }];
  const { folder, saveKind, removeKind } = await kindsIn(t, servers);
  writeFileSync(path.join(folder, 'of-another-name.json'), JSON.stringify(ARENA));
  await saveKind(JSON.stringify({ kind: 'more', extends: 'arena', title: 'More' }));
  await t.rejects(removeKind('arena'), { code: 'software_in_use', message: 'Servers of this kind: My arena.' });
  servers.length = 0;
  await t.rejects(removeKind('arena'), { code: 'software_in_use', message: 'These kinds extend it: more.' });
  await removeKind('more');
  await removeKind('arena');
  t.same(readdirSync(folder), []);
  t.notOk(softwareOf('arena'));
  await t.rejects(removeKind('arena'), { code: 'software_not_found' });
  await t.rejects(removeKind('../x'), { code: 'software_not_found' });
  await t.rejects(removeKind('paper'), { code: 'invalid_request', message: /ships with Gamekeeper/ });
});
