import { readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { VERSION } from '../../../../../shared/domain/version.ts';
import { idOf } from '../fake-modrinth.ts';
import { modWorld, needs } from '../mod-world.ts';

t.test('a mod comes with all its dependencies, each once, even if they are circular', async (t) => {
  const { modrinth, jobs, install, files, folder } = await modWorld(t);
  modrinth.add(
    { slug: 'magic', versions: [{ number: '1.0', dependencies: [...needs('library', 'runes'), ...optional('map')] }] },
    { slug: 'runes', versions: [{ number: '2.0', dependencies: needs('library', 'magic') }] },
    { slug: 'library', versions: [{ number: '3.0' }, { number: '4.0', gameVersions: ['1.20.1'] }] },
    { slug: 'map', versions: [{ number: '1.0' }] },
  );
  const planned = await install('magic', { dryRun: true });
  t.equal(planned.state, 'planned');
  t.same(files(), [], 'a dry run changes nothing');
  const done = await install('magic');
  t.same(done, { ...planned, state: 'done' }, 'the change matches the preview');
  t.match(done.changes, [
    { action: 'install', name: 'Magic', version: '1.0', file: 'magic-1.0.jar', neededBy: undefined },
    { action: 'install', name: 'Library', version: '3.0', neededBy: ['Magic', 'Runes'] },
    { action: 'install', name: 'Runes', neededBy: ['Magic'] },
  ]);
  t.same(files(), ['library-3.0.jar', 'magic-1.0.jar', 'runes-2.0.jar']);
  t.ok(readFileSync(path.join(folder, 'magic-1.0.jar')).equals(modrinth.jar('magic', '1.0')));
  t.ok(modrinth.requests.every(({ userAgent }) => userAgent.startsWith(`Gamekeeper/${VERSION}`)));
  t.match((await jobs.call.mods('survival')).mods, [
    { name: 'Library', projectId: 'Library', version: '3.0', slug: 'library', enabled: true, fits: true },
    { name: 'Magic' },
    { name: 'Runes' },
  ]);
  t.match(await install('magic'), { state: 'done', changes: [], notes: ['Magic 1.0 is already installed.'] });
});

t.test('a release is preferred to a beta, and then the best loader', async (t) => {
  const { modrinth, install, files } = await modWorld(t, { software: 'quilt' });
  modrinth.add(
    {
      slug: 'both',
      versions: [
        { number: '1.1', loaders: ['fabric'], fileName: 'both-fabric.jar', published: '2026-03-01T00:00:01Z' },
        { number: '1.1', loaders: ['quilt'], fileName: 'both-quilt.jar', published: '2026-03-01T00:00:00Z' },
        { number: '2.0', type: 'beta', published: '2026-04-01T00:00:00Z' },
      ],
    },
    {
      slug: 'early',
      versions: [
        { number: '1', type: 'alpha' },
        { number: '2', type: 'beta' },
      ],
    },
  );
  await install('both');
  await install('early');
  t.same(files(), ['both-quilt.jar', 'early-2.jar']);
  t.match(await install('both', { version: '2.0' }), { changes: [{ action: 'update', from: '1.1', version: '2.0' }] });
  t.same(files(), ['both-2.0.jar', 'early-2.jar']);
});

t.test('Paper gets Bukkit plugins, and Velocity plugins need no version of Minecraft', async (t) => {
  const { modrinth, jobs, install, files, set } = await modWorld(t, { software: 'paper' });
  modrinth.add(
    { slug: 'claims', versions: [{ number: '1', loaders: ['bukkit', 'spigot'] }] },
    { slug: 'proxy', versions: [{ number: '1', loaders: ['velocity'], gameVersions: ['1.8'] }] },
  );
  await install('claims');
  t.same(files(), ['claims-1.jar']);
  await t.rejects(install('proxy'), { code: 'version_not_found', message: /Proxy has no version for Paper 1\.21\.8/ });
  set({ software: 'folia' });
  t.match((await jobs.call.mods('survival')).mods, [{ name: 'Claims', fits: false }]);
  set({ software: 'velocity', version: '3.4.0' });
  await install('proxy');
  t.same(files(), ['claims-1.jar', 'proxy-1.jar']);
});

t.test('a search finds what fits and runs on servers', async (t) => {
  const { modrinth, jobs, install } = await modWorld(t);
  const versions = [{ number: '1' }];
  modrinth.add(
    { slug: 'fast', versions },
    { slug: 'fast-optional', serverSide: 'optional', versions },
    { slug: 'fast-shader', serverSide: 'unsupported', versions },
    { slug: 'fast-forge', versions: [{ number: '1', loaders: ['forge'] }] },
    { slug: 'fast-old', versions: [{ number: '1', gameVersions: ['1.20.1'] }] },
  );
  await install('fast');
  const search = (query: string, offset = 0, limit = 20) =>
    jobs.call.searchMods({ instanceId: 'survival', query, offset, limit });
  t.match(await search('fast'), {
    hits: [
      { slug: 'fast', projectId: 'Fast', title: 'Fast', author: 'anna', installed: true },
      { slug: 'fast-optional', installed: false },
    ],
    total: 2,
  });
  t.match(await search('fast', 1, 1), { hits: [{ slug: 'fast-optional' }], offset: 1, limit: 1, total: 2 });
  await t.rejects(install('fast-shader'), { code: 'mod_conflict', message: /does not run on servers/ });
});

t.test('incompatible mods are refused by name, and nothing changes', async (t) => {
  const { modrinth, install, files, own } = await modWorld(t);
  const against = (slug: string) => [{ dependency_type: 'incompatible' as const, project_id: idOf(slug) }];
  const pinned = (slug: string, version_id: string) => [{ ...needs(slug)[0]!, version_id }];
  modrinth.add(
    { slug: 'old', versions: [{ number: '1', dependencies: pinned('library', 'Library1') }] },
    { slug: 'new', versions: [{ number: '1', dependencies: pinned('library', 'Library2') }] },
    { slug: 'both', versions: [{ number: '1', dependencies: needs('old', 'new') }] },
    { slug: 'elsewhere', versions: [{ number: '1', dependencies: pinned('library', 'Library3') }] },
    {
      slug: 'library',
      versions: [{ number: '1' }, { number: '2' }, { number: '3', gameVersions: ['1.20.1'] }],
    },
    { slug: 'rival', versions: [{ number: '1', dependencies: against('old') }] },
    { slug: 'lonely', versions: [{ number: '1', dependencies: needs('nowhere') }] },
    { slug: 'late', versions: [{ number: '1', dependencies: needs('unported') }] },
    { slug: 'unported', versions: [{ number: '1', gameVersions: ['1.20.1'] }] },
    {
      slug: 'outside',
      versions: [{ number: '1', dependencies: [{ dependency_type: 'required', file_name: 'core.jar' }] }],
    },
  );
  const refused = (project: string, message: RegExp) =>
    t.rejects(install(project), { code: 'mod_conflict', message }, project);
  await refused('both', /Library is required in version 1 by Old and in version 2 by New/);
  await refused('lonely', /Lonely needs something that is no longer on Modrinth \(Nowhere\)/);
  await refused('late', /Late needs Unported, which has no version for Fabric 1\.21\.8/);
  await refused('outside', /Outside needs core\.jar, which is not on Modrinth/);
  t.same(files(), []);

  await install('old');
  t.same(files(), ['library-1.jar', 'old-1.jar'], 'the required version, not the newest');
  await refused('new', /Library is required in version .* by (?:Old|New) and in version/);
  await refused('rival', /Rival does not work together with Old/);
  await install('elsewhere');
  t.same(files(), ['elsewhere-1.jar', 'library-1.jar', 'old-1.jar'], 'a version that does not fit is not binding');
  own('core.jar', 'by hand');
  await install('outside');
  await t.rejects(install('nothing'), { code: 'mod_not_found' });
  await t.rejects(install('old', { version: '9' }), { code: 'version_not_found', message: /Old has no version 9 for/ });
});

t.test('the owner’s files are not replaced, and not installed again', async (t) => {
  const { modrinth, jobs, install, files, own } = await modWorld(t);
  modrinth.add(
    { slug: 'magic', versions: [{ number: '1', dependencies: needs('library') }] },
    { slug: 'library', versions: [{ number: '1' }, { number: '2' }] },
  );
  own('MAGIC-1.jar', 'something else of this name');
  own('by-hand.jar', modrinth.jar('library', '1'));
  t.match((await jobs.call.mods('survival')).mods, [
    { file: 'by-hand.jar', name: 'Library itself', version: '1', projectId: undefined },
    { file: 'MAGIC-1.jar', name: 'MAGIC-1.jar' },
  ]);
  await t.rejects(install('magic'), { code: 'mod_conflict', message: /another file magic-1\.jar/ });
  await jobs.done(
    jobs.call.startModChange({ instanceId: 'survival', order: { type: 'remove', mod: 'MAGIC-1.jar', force: false } }),
  );
  const { changes } = await install('magic');
  t.equal(changes.length, 1, 'existing files are recognised by their hash');
  t.same(files(), ['by-hand.jar', 'magic-1.jar']);
});

t.test('file names that lead elsewhere are refused', async (t) => {
  const { modrinth, install, files } = await modWorld(t);
  const names = [
    '../evil.jar',
    'a/b.jar',
    'a\\b.jar',
    '.hidden.jar',
    'con.jar',
    'x.jar.sh',
    `${'x'.repeat(300)}.jar`,
    'a\u0000.jar',
    'c:x.jar',
  ];
  for (const [index, fileName] of names.entries()) {
    modrinth.add({ slug: `evil${index}`, versions: [{ number: '1', fileName }] });
    await t.rejects(install(`evil${index}`), { code: 'mod_conflict', message: /has no usable file/ }, fileName);
  }
  t.same(files(), []);
  modrinth.add({ slug: 'loud', versions: [{ number: '1\u001b[2J\n', fileName: 'loud.jar' }] });
  t.match((await install('loud', { dryRun: true })).changes, [{ version: '1 [2J ' }], 'no control sequences are shown');
});

t.test('software without mods gives a clear error', async (t) => {
  const { jobs, install, update, remove, set } = await modWorld(t);
  for (const software of ['vanilla', 'bedrock', 'demo', 'custom']) {
    set({ software });
    const refusal = { code: 'mods_unsupported', message: /neither mods nor plugins/ };
    await t.rejects(jobs.call.mods('survival'), refusal, software);
    await t.rejects(jobs.call.searchMods({ instanceId: 'survival', query: '', offset: 0, limit: 1 }), refusal);
    await t.rejects(install('x'), refusal);
    await t.rejects(update(), refusal);
    await t.rejects(remove('x'), refusal);
  }
});

function optional(slug: string) {
  return [{ dependency_type: 'optional' as const, project_id: idOf(slug) }];
}
