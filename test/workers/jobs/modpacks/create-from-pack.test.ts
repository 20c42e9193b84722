import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { CreateFromModpack } from '../../../../shared/schema/modpacks.ts';
import { packMemory } from '../../../../workers/jobs/modpacks/pack-memory.ts';
import { machineMemory } from '../../../../workers/jobs/provisioning/machine-memory.ts';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { type HandmadeEntry, zipBytes } from '../../pool/zip-bytes.ts';
import { startFakeFabric } from '../mods/fake-fabric.ts';
import { type FakeProject, GAME, startFakeModrinth } from '../mods/fake-modrinth.ts';
import { indexOf, modFile, packOf } from './pack-files.ts';

const jobs = await startTestJobs(t, { instances: [] });
const modrinth = await startFakeModrinth(t);
const fabric = await startFakeFabric(t, GAME);
const { call, home, daemon } = jobs;
daemon.settings.vendors = { modrinth: modrinth.base, fabric: fabric.base };
modrinth.add({ slug: 'calm', versions: [{ number: '1' }] }, { slug: 'looks', versions: [{ number: '1' }] });

const OVERRIDES: HandmadeEntry[] = [
  { name: 'overrides/config/calm.toml', content: 'calm = false' },
  { name: 'overrides/config/both.toml', content: 'both = true' },
  { name: 'overrides/server.properties', content: 'server-port=4000\nenable-rcon=true\nrcon.password=known\n' },
  { name: 'server-overrides/config/calm.toml', content: 'calm = true' },
  { name: 'client-overrides/options.txt', content: 'fov:1' },
];
const FILES = [
  modFile('calm', modrinth),
  modFile('looks', modrinth, { env: { client: 'required', server: 'unsupported' } }),
];
const left = () => readdirSync(home.instances).filter((name) => name.startsWith('.'));
const inServer = (id: string, file: string) => path.join(home.instanceDirectory(id), file);

function publish(slug: string, content: Buffer, more: Partial<FakeProject> = {}): void {
  modrinth.add({ slug, type: 'modpack', versions: [{ number: '1', content, fileName: `${slug}.mrpack` }], ...more });
}

async function creating(request: Partial<CreateFromModpack> & { project: string }): Promise<string> {
  const job = await jobs.done(call.startModpack({ acceptEula: false, autoStart: false, start: false, ...request }));
  return job.newInstanceId!;
}

function saved(t: Test, content: Buffer): string {
  const file = path.join(temporaryFolder(t), 'My Pack.mrpack');
  writeFileSync(file, content);
  return file;
}

t.test('a modpack from Modrinth becomes a server with its mods, settings and loader', async (t) => {
  publish('pack', packOf(indexOf(FILES), OVERRIDES));
  const id = await creating({ project: 'pack', acceptEula: true });
  t.equal(id, 'pack');
  t.match(daemon.instances.get(id)?.config, { software: 'fabric', version: GAME, eulaAccepted: true, managed: true });
  t.same(readdirSync(inServer(id, 'mods')), ['calm.jar'], 'not the mod for players');
  t.same(readFileSync(inServer(id, 'mods/calm.jar')), modrinth.jar('calm', '1'));
  t.equal(readFileSync(inServer(id, 'config/calm.toml'), 'utf8'), 'calm = true', 'overrides of servers win');
  t.equal(readFileSync(inServer(id, 'config/both.toml'), 'utf8'), 'both = true');
  t.notOk(existsSync(inServer(id, 'options.txt')), 'no overrides of players');
  t.notOk(existsSync(inServer(id, 'modrinth.index.json')));
  const properties = readFileSync(inServer(id, 'server.properties'), 'utf8');
  t.match(properties, /server-port=25600/, 'a port of its own');
  t.notMatch(properties, /known/, 'nobody else knows its RCON password');
  t.match(JSON.parse(readFileSync(path.join(home.installed, `${id}.json`), 'utf8')), {
    ...{ kind: 'fabric', version: GAME, build: '0.17.3' },
    file: { vendor: 'fabric', url: new RegExp(`/loader/${GAME}/0.17.3/`) },
  });
  t.match((await call.mods(id)).mods, [
    { file: 'calm.jar', name: 'Calm', version: '1', projectId: 'Calm', fits: true },
  ]);
  t.same(left(), []);
});

t.test('a version suggests memory by the mods that it contains', async (t) => {
  const content = packOf(indexOf([]));
  const embedded = Array.from({ length: 50 }, (_, n) => ({
    project_id: `Mod${n}`,
    dependency_type: 'embedded' as const,
  }));
  const versions = [
    { number: '1', content },
    { number: '2', content, dependencies: embedded },
  ];
  publish('large', content, { versions });
  t.match(await call.modpackVersions('large'), [
    { version: '2', suggestedMemoryMb: packMemory(50, machineMemory()) },
    { version: '1', suggestedMemoryMb: packMemory(0, machineMemory()) },
  ]);
});

t.test('a server is started once it is created, if that is wanted, and exists even if it cannot start', async (t) => {
  publish('eager', packOf(indexOf([])));
  const heard = async (id: string) => (await daemon.supervisor(id)).heard;
  t.same(await heard(await creating({ project: 'eager', id: 'later' })), []);
  t.same(await heard(await creating({ project: 'eager', id: 'now', start: true })), ['start']);
  (await daemon.supervisor('broken')).onStart = () => {
    throw new GamekeeperError('port_in_use', 'It is taken.');
  };
  t.equal(await creating({ project: 'eager', id: 'broken', start: true }), 'broken');
  t.ok(daemon.instances.has('broken'));
});

t.test('the owner chooses a version, the name and the id', async (t) => {
  const content = packOf(indexOf([]));
  const versions = [
    { number: '1', content },
    { number: '2', content, type: 'beta' as const },
  ];
  publish('many', content, { versions });
  t.match(await call.modpackVersions('many'), [
    { versionId: 'Many2', version: '2', channel: 'beta', gameVersions: [GAME], loaders: ['fabric'] },
    { versionId: 'Many1', version: '1', channel: 'release' },
  ]);
  t.equal(await creating({ project: 'many', version: 'Many2', name: 'Mine', id: 'mine' }), 'mine');
  t.equal(daemon.instances.get('mine')?.config.name, 'Mine');
  await t.rejects(creating({ project: 'many', id: 'mine' }), { code: 'instance_exists' });
  await t.rejects(creating({ project: 'many', version: '9' }), { code: 'version_not_found', message: /no version 9/ });
  await t.rejects(creating({ project: 'none' }), { code: 'mod_not_found' });
  await t.rejects(call.modpackVersions('none'), { code: 'mod_not_found' });
});

t.test('a search finds modpacks that are not only for players', async (t) => {
  publish('pack-for-players', packOf(indexOf([])), { serverSide: 'unsupported' });
  publish('pack-unclear', packOf(indexOf([])), { serverSide: 'unknown' });
  const found = await call.searchModpacks({ query: 'pack', offset: 0, limit: 10 });
  t.same(
    found.hits.map(({ slug }) => slug),
    ['pack', 'pack-unclear'],
  );
  t.same((await call.searchModpacks({ query: 'calm', offset: 0, limit: 10 })).hits, [], 'no mods');
});

t.test('what the Modrinth App has exported can be read', async (t) => {
  // It writes no permissions.
  const entries = [{ name: 'modrinth.index.json', content: indexOf(FILES) }, ...OVERRIDES];
  const archive = saved(t, zipBytes(entries.map((entry) => ({ ...entry, mode: 0 }))));
  await jobs.done(call.startImport({ archive, dryRun: false, id: 'from-app' }));
  t.equal(statSync(inServer('from-app', 'config/calm.toml')).mode & 0o777, 0o644);
});

t.test('a modpack cannot accept the EULA', async (t) => {
  modrinth.add({ slug: 'accepting', versions: [{ number: '1' }] });
  publish('eula-file', packOf(indexOf([modFile('accepting', modrinth, { path: 'eula.txt' })])));
  publish('eula-override', packOf(indexOf([]), [{ name: 'overrides/eula.txt', content: 'eula=true' }]));
  for (const project of ['eula-file', 'eula-override']) {
    const id = await creating({ project });
    t.notOk(existsSync(inServer(id, 'eula.txt')), project);
    t.equal(daemon.instances.get(id)?.config.eulaAccepted, false);
  }
});

t.test('a file comes from the first of its addresses that has it', async (t) => {
  modrinth.add({ slug: 'moved', versions: [{ number: '1' }] });
  const file = modFile('moved', modrinth);
  publish('moving', packOf(indexOf([{ ...file, downloads: [`${modrinth.base}/gone.jar`, ...file.downloads] }])));
  const id = await creating({ project: 'moving' });
  t.same(readFileSync(inServer(id, 'mods/moved.jar')), modrinth.jar('moved', '1'));
});

t.test('two creations at the same time get different ids', async (t) => {
  publish('twin', packOf(indexOf(FILES)));
  const request = { project: 'twin', acceptEula: false, autoStart: false };
  const [one, other] = await Promise.all([call.startModpack(request), call.startModpack(request)]);
  t.same([one.instanceId, other.instanceId].toSorted(), ['twin', 'twin-2']);
  const chosen = call.startModpack({ ...request, id: other.instanceId });
  await t.rejects(chosen, { code: 'instance_exists' }, 'refused before anything is downloaded');
  for (const job of [one, other]) await jobs.done(Promise.resolve(job));
  t.ok(daemon.instances.has('twin') && daemon.instances.has('twin-2'));
});

t.test('a loader that was chosen is recorded before the server exists', async (t) => {
  publish('refused', packOf(indexOf(FILES)));
  const record = path.join(home.installed, 'refused.json');
  let wasThere = false;
  daemon.beforeCreation = () => {
    wasThere = existsSync(record);
  };
  t.teardown(() => {
    daemon.beforeCreation = () => undefined;
  });
  await t.rejects(creating({ project: 'refused', name: 'refused' }), { code: 'instance_exists' });
  t.ok(wasThere);
  t.notOk(existsSync(record), 'and forgotten if there is none');
});

t.test('the versions of a modpack are asked for once a minute', async (t) => {
  publish('asked', packOf(indexOf([])));
  await call.modpackVersions('asked');
  const before = modrinth.requests.length;
  await call.modpackVersions('asked');
  t.equal(modrinth.requests.length, before);
});

t.test('a modpack on this machine is imported, as its dry run says', async (t) => {
  const archive = saved(t, packOf(indexOf(FILES), OVERRIDES));
  const looked = await call.recognise({ archive, dryRun: true });
  t.match(looked, {
    ...{ directory: archive, missing: [], notes: [/^1 of its files/] },
    software: { value: 'fabric', sure: 'certain', from: 'modrinth.index.json' },
    ...{ version: { value: GAME }, build: { value: '0.17.3' }, memoryMb: { sure: 'guess' } },
  });
  const job = await jobs.done(call.startImport({ archive, dryRun: false }));
  const { id, recognised } = (await call.imported(job.jobId))!;
  t.same(recognised, looked);
  t.equal(id, 'my-pack');
  t.same(readdirSync(inServer(id, 'mods')), ['calm.jar']);
  t.same(left(), []);
});

t.test('a single folder around a modpack is skipped', async (t) => {
  const entries = [{ name: 'modrinth.index.json', content: indexOf(FILES) }, ...OVERRIDES];
  const archive = saved(t, zipBytes(entries.map(({ name, ...entry }) => ({ name: `pack/${name}`, ...entry }))));
  t.match(await call.recognise({ archive, dryRun: true }), { software: { value: 'fabric' } });
  await jobs.done(call.startImport({ archive, dryRun: false, id: 'wrapped' }));
  t.equal(readFileSync(inServer('wrapped', 'config/calm.toml'), 'utf8'), 'calm = true');
});

t.test('a hostile or broken modpack creates nothing', async (t) => {
  const [calm] = FILES;
  const evil = (more: object) => packOf(indexOf([{ ...calm!, ...more }]));
  const cases: [string, Buffer, RegExp][] = [
    ['a path that climbs out', evil({ path: '../../evil.jar' }), /path "\.\.\/\.\.\/evil\.jar"/],
    ['an absolute path', evil({ path: '/etc/evil' }), /must be relative/],
    ['a drive', evil({ path: 'C:/evil' }), /Windows allows/],
    ['another host', evil({ downloads: ['https://evil.example/a.jar'] }), /is not at cdn\.modrinth\.com/],
    ['a host without TLS', evil({ downloads: ['http://cdn.modrinth.com/a.jar'] }), /is not at cdn\.modrinth\.com/],
    ['a file of this machine', evil({ downloads: ['file:///etc/passwd'] }), /is not at cdn\.modrinth\.com/],
    ['a file below a file', packOf(indexOf([calm!, { ...calm!, path: 'mods/calm.jar/x' }])), /a file and a folder/],
    [
      'overrides that are elsewhere',
      packOf(indexOf([]), [{ name: 'overrides/../../evil', content: 'x' }]),
      /leads else/,
    ],
    ['a link', packOf(indexOf([]), [{ name: 'overrides/world', content: '/etc', mode: 0o120777 }]), /is a link/],
    ['a folder of Gamekeeper', packOf(indexOf([]), [{ name: 'overrides/.gamekeeper-files/x' }]), /of Gamekeeper/],
    ['a folder in place of a file', packOf(indexOf([calm!]), [{ name: 'overrides/mods', content: 'x' }]), /same name/],
    [
      'a long path',
      packOf(indexOf([{ ...calm!, path: `${`${'x'.repeat(200)}/`.repeat(20)}${'a'.repeat(70)}` }])),
      /is too long/,
    ],
    ['an index that is a folder', zipBytes([{ name: 'modrinth.index.json/x' }]), /modrinth\.index\.json/],
    ['a long index', packOf(' '.repeat(8 * 1024 ** 2 + 1)), /modrinth\.index\.json/],
    [
      'a folder in place of settings',
      packOf(indexOf([]), [{ name: 'overrides/server.properties/x' }]),
      /server\.properties/,
    ],
    [
      'settings that are broken',
      packOf(indexOf([]), [{ name: 'overrides/server.properties', content: 'motd=\\uXYZW' }]),
      /server\.properties/,
    ],
    [
      'many overrides',
      packOf(
        indexOf([]),
        Array.from({ length: 20_001 }, (_, n) => ({ name: `overrides/${n}` })),
      ),
      /more than 20,000 files/,
    ],
    [
      'an unknown loader version',
      packOf(indexOf([], { dependencies: { minecraft: GAME, 'fabric-loader': '9' } })),
      /in version 9/,
    ],
    ['no ZIP', Buffer.from('hello'), /not a complete ZIP/],
  ];
  const before = daemon.instances.size;
  for (const [title, content, message] of cases) {
    const archive = saved(t, content);
    const refusal = { code: 'invalid_request', message };
    await t.rejects(jobs.done(call.startImport({ archive, dryRun: false })), refusal, title);
    t.same(left(), [], title);
  }
  publish('other', evil({ hashes: { sha1: '', sha512: 'a'.repeat(128) } }));
  publish('gone', evil({ hashes: { sha1: '', sha512: 'b'.repeat(128) }, downloads: [`${modrinth.base}/gone.jar`] }));
  const refusal = {
    code: 'vendor_unavailable',
    message: /^"mods\/calm\.jar" of the modpack cannot be downloaded\. /,
    resolution: 'Try again later, or choose another version of the modpack.',
  };
  for (const project of ['other', 'gone']) await t.rejects(creating({ project }), refusal, project);
  t.same(left(), []);
  t.equal(daemon.instances.size, before);
});

t.test('a project whose file is no modpack is refused', async (t) => {
  modrinth.add({ slug: 'jar', type: 'modpack', versions: [{ number: '1' }] });
  const before = daemon.instances.size;
  await t.rejects(creating({ project: 'jar' }), { code: 'invalid_request', message: /has no modrinth\.index\.json/ });
  await t.rejects(creating({ project: 'calm' }), { code: 'mod_not_found' }, 'it is a mod');
  await t.rejects(call.modpackVersions('calm'), { code: 'mod_not_found' });
  t.equal(daemon.instances.size, before);
  t.same(left(), []);
});

t.test('a creation that is cancelled while it downloads leaves nothing behind', async (t) => {
  modrinth.add({ slug: 'slow', versions: [{ number: '1' }] });
  publish('heavy', packOf(indexOf([modFile('slow', modrinth)])));
  const asked = Promise.withResolvers<void>();
  modrinth.fault = ({ url }) => {
    const isSlow = url?.endsWith('/slow.jar') === true;
    if (isSlow) asked.resolve();
    return isSlow;
  };
  t.teardown(() => {
    modrinth.fault = () => false;
  });
  const job = await call.startModpack({ project: 'heavy', acceptEula: false, autoStart: false, start: false });
  await asked.promise;
  t.not(left().length, 0);
  t.ok((await call.job(job.jobId))!.percent < 100);
  await call.cancel(job.jobId);
  await until('the job is cancelled', async () => (await call.job(job.jobId))?.state === 'cancelled');
  t.same(left(), []);
  t.notOk(daemon.instances.has('heavy'));
});
