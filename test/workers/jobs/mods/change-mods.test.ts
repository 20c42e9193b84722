import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startFakeFabric } from './fake-fabric.ts';
import { GAME, idOf } from './fake-modrinth.ts';
import { modWorld, needs } from './mod-world.ts';

t.test('an update does exactly what its preview shows', async (t) => {
  const { modrinth, install, update, files } = await modWorld(t);
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] }, { slug: 'calm', versions: [{ number: '1' }] });
  await install('magic');
  await install('calm');
  t.match(await update(), { state: 'done', changes: [], notes: [] });

  modrinth.add(
    {
      slug: 'magic',
      versions: [
        { number: '1' },
        { number: '2', dependencies: needs('runes') },
        { number: '3', type: 'alpha' },
        { number: '4', gameVersions: ['1.22'] },
      ],
    },
    { slug: 'runes', versions: [{ number: '7' }] },
  );
  const planned = await update(undefined, { dryRun: true });
  t.match(planned, {
    state: 'planned',
    changes: [
      { action: 'update', name: 'Magic', from: '1', version: '2', file: 'magic-2.jar' },
      { action: 'install', name: 'Runes', neededBy: ['Magic'] },
    ],
  });
  t.same(files(), ['calm-1.jar', 'magic-1.jar']);
  t.same(await update(), { ...planned, state: 'done' });
  t.same(files(), ['calm-1.jar', 'magic-2.jar', 'runes-7.jar']);
  t.match(await update('calm'), { changes: [] });
  await t.rejects(update('unknown'), { code: 'mod_not_found' });
});

t.test('an installed beta is updated to newer betas, and a file with the same name is replaced', async (t) => {
  const { modrinth, install, update, files, jobs } = await modWorld(t);
  const fileName = 'plugin.jar';
  const versions = [{ number: '1', type: 'beta' as const, fileName }];
  modrinth.add({ slug: 'magic', versions });
  await install('magic');
  modrinth.add({
    slug: 'magic',
    versions: [...versions, { number: '2', type: 'beta', fileName }, { number: '3', type: 'alpha' }],
  });
  t.match(await update('magic'), { changes: [{ from: '1', version: '2', file: fileName }] });
  t.same(files(), [fileName]);
  t.match((await jobs.call.mods('survival')).mods, [{ version: '2' }]);
});

t.test('a mod whose version another one requires is not updated, and a note says why', async (t) => {
  const { modrinth, install, update, files } = await modWorld(t);
  const dependency = { ...needs('library')[0]!, version_id: 'Library1' };
  modrinth.add(
    { slug: 'magic', versions: [{ number: '1', dependencies: [dependency] }] },
    { slug: 'library', versions: [{ number: '1' }, { number: '2' }] },
  );
  await install('magic');
  t.match(await update(), { changes: [], notes: ['Library was not updated to 2: another mod needs 1.'] });
  t.same(files(), ['library-1.jar', 'magic-1.jar']);
});

t.test('a new version of Minecraft changes all mods, or the error names those without a version for it', async (t) => {
  const { modrinth, jobs, install, update, set, files } = await modWorld(t);
  modrinth.add(
    { slug: 'magic', versions: [{ number: '2' }, { number: '1', gameVersions: ['1.20.1'] }] },
    { slug: 'calm', versions: [{ number: '1' }] },
  );
  await install('magic');
  await install('calm');
  set({ version: '1.20.1' });
  t.match((await jobs.call.mods('survival')).mods, [
    { name: 'Calm', fits: false },
    { name: 'Magic', fits: false },
  ]);
  t.match(await update(), {
    changes: [{ name: 'Magic', from: '2', version: '1' }],
    notes: ['There is no version of Calm for Fabric 1.20.1.'],
  });
  t.same(files(), ['calm-1.jar', 'magic-1.jar']);
});

t.test('a file that the owner added is updated if Modrinth knows it', async (t) => {
  const { modrinth, update, files, own } = await modWorld(t);
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }, { number: '2' }] });
  own('my magic.jar', modrinth.jar('magic', '1'));
  own('other.jar', 'no mod at all');
  own('off.jar.disabled', modrinth.jar('magic', '1'));
  t.match(await update(), { changes: [{ name: 'Magic', from: '1', version: '2' }] });
  t.same(files(), ['magic-2.jar', 'off.jar.disabled', 'other.jar']);
});

t.test('hundreds of mods are looked up in batches', async (t) => {
  const { modrinth, update, own } = await modWorld(t);
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }, { number: '2' }] });
  for (let index = 0; index < 149; index++) own(`${index}.jar`, `no mod ${index}`);
  own('zmagic.jar', modrinth.jar('magic', '1'));
  t.match(await update(), { changes: [{ name: 'Magic', version: '2' }] });
  const lines = modrinth.requests.map(({ line }) => line);
  t.same(
    lines.filter((line) => line.startsWith('POST')),
    ['POST /v2/version_files', 'POST /v2/version_files', 'POST /v2/version_files/update'],
  );
});

t.test('a mod is removed unless another one needs it, and its configuration stays', async (t) => {
  const { modrinth, jobs, install, remove, files, folder, own } = await modWorld(t);
  const config = path.join(folder, '../config/library.json');
  modrinth.add(
    { slug: 'magic', versions: [{ number: '1', dependencies: needs('library') }] },
    { slug: 'library', versions: [{ number: '1' }] },
  );
  await install('magic');
  mkdirSync(path.dirname(config), { recursive: true });
  writeFileSync(config, '{}');
  own('mine.jar.disabled', 'x');
  await t.rejects(remove('library'), {
    code: 'mod_conflict',
    message: 'Library is needed by Magic.',
    resolution: /force=true/,
  });
  const asked = modrinth.requests.length;
  t.match(await remove('library', true), {
    state: 'done',
    changes: [{ action: 'remove', name: 'Library', from: '1' }],
  });
  t.equal(modrinth.requests.length, asked, 'no vendor is asked');
  t.same(files(), ['magic-1.jar', 'mine.jar.disabled']);
  t.ok(existsSync(config));
  t.match(
    await install('magic'),
    { changes: [{ action: 'install', name: 'Library' }], notes: [/Magic 1 is already installed/] },
    'a missing archive can be fetched',
  );
  await remove('library', true);
  t.match((await jobs.call.mods('survival')).mods, [{ name: 'Magic' }, { file: 'mine.jar.disabled', enabled: false }]);
  await remove('magic-1.jar');
  await remove('mine.jar.disabled');
  t.same(files(), []);
  for (const mod of ['magic', idOf('magic'), '../server.jar', 'mine.jar'])
    await t.rejects(remove(mod), { code: 'mod_not_found' }, mod);
});

t.test('mods can be installed before the first start, which then installs the version they are for', async (t) => {
  const { modrinth, jobs, install, update, remove, files } = await modWorld(t, { version: 'latest' });
  const fabric = await startFakeFabric(t, GAME);
  jobs.daemon.settings.vendors = { modrinth: modrinth.base, fabric: fabric.base };
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }, { number: '2', gameVersions: ['1.22'] }] });
  const version = () => jobs.daemon.instances.get('survival')!.config.version;

  t.match(await jobs.call.mods('survival'), { folder: 'mods', mods: [] }, 'the list needs no vendor');
  const found = await jobs.call.searchMods({ instanceId: 'survival', query: '', offset: 0, limit: 5 });
  t.match(found.hits, [{ title: 'Magic' }]);
  t.match(await update(), { state: 'done', changes: [] });
  await t.rejects(remove('magic'), { code: 'mod_not_found' });
  t.match(await install('magic', { dryRun: true }), {
    changes: [{ action: 'install', version: '1' }],
    notes: [`The server gets version ${GAME}.`],
  });
  t.equal(version(), 'latest', 'looking changes nothing');

  t.match(await install('magic'), { state: 'done', notes: [`The server gets version ${GAME}.`] });
  t.equal(version(), GAME);
  t.same(files(), ['magic-1.jar']);
  fabric.publish('1.22');
  t.match(await update(), { state: 'done', changes: [] }, 'a newer version changes nothing any more');
});

t.test('without its vendor, no version is chosen before the first start', async (t) => {
  const { modrinth, jobs, install } = await modWorld(t, { version: 'latest' });
  jobs.daemon.settings.vendors = { modrinth: modrinth.base, fabric: 'http://127.0.0.1:9' };
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] });
  await t.rejects(install('magic'), { code: 'vendor_unavailable' });
  t.equal(jobs.daemon.instances.get('survival')!.config.version, 'latest');
});
