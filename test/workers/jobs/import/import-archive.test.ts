import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { ImportInstance } from '../../../../shared/schema/import.ts';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { paperclip, SETTINGS } from '../../pool/recognise/server-folders.ts';
import { type HandmadeEntry, zipBytes } from '../../pool/zip-bytes.ts';
import { indexOf } from '../modpacks/pack-files.ts';
import { startFakeFabric } from '../mods/fake-fabric.ts';
import { GAME } from '../mods/fake-modrinth.ts';

const jobs = await startTestJobs(t, { instances: [] });
const { call, home, daemon } = jobs;
daemon.settings.vendors = { fabric: (await startFakeFabric(t, GAME)).base };
const SERVER: HandmadeEntry[] = [
  { name: 'paper.jar', content: paperclip('paper') },
  ...Object.entries(SETTINGS).map(([name, content]) => ({ name, content })),
];
const left = () => readdirSync(home.instances).filter((name) => name.startsWith('.'));

function zipOf(t: Test, entries: readonly HandmadeEntry[] | Buffer): string {
  const file = path.join(temporaryFolder(t), 'My Server.zip');
  writeFileSync(file, Buffer.isBuffer(entries) ? entries : zipBytes(entries));
  return file;
}

async function importing(request: Partial<ImportInstance>) {
  const job = await jobs.done(call.startImport(request));
  return (await call.imported(job.jobId))!;
}

t.test('a ZIP of any server becomes an instance, recognised by its files', async (t) => {
  const { id, recognised } = await importing({ archive: zipOf(t, SERVER) });
  t.equal(id, 'my-server');
  t.match(recognised, { software: { value: 'paper' }, version: { value: '1.21.4' }, port: { value: 25_570 } });
  t.ok(existsSync(path.join(home.instanceDirectory(id), 'world/level.dat')));
  t.match(daemon.instances.get(id)?.config, { name: 'My Server', managed: true });
  t.same(left(), []);
});

t.test('a single folder around everything is skipped', async (t) => {
  const wrapped = SERVER.map(({ name, ...rest }) => ({ name: `server/${name}`, ...rest }));
  const { id } = await importing({ archive: zipOf(t, wrapped), name: 'Wrapped' });
  t.ok(existsSync(path.join(home.instanceDirectory(id), 'paper.jar')));
  t.same(left(), []);
});

function manifestOf(software: string, settings: object = {}): HandmadeEntry {
  const manifest = {
    ...{ format: 'gamekeeper-export', formatVersion: 1, madeBy: '1.9.9', exportedAt: '2026-11-20T08:00:00.000Z' },
    software,
    settings: {
      ...{ name: 'From elsewhere', version: '1.20.1', port: 4_000, memoryMb: 3_000 },
      ...{ acceptEula: true, autoStart: true, autoResume: true },
      crashPolicy: { restart: 'never', maxRestarts: 1, windowSeconds: 60 },
      stopTimeoutSeconds: 90,
      ...settings,
    },
    ...{ quiesced: true, fileCount: 5, leftOut: [], changedFiles: [] },
  };
  return { name: 'gamekeeper-export.json', content: JSON.stringify(manifest) };
}

t.test('the request overrides the export manifest, which overrides the files', async (t) => {
  const entries = [...SERVER, manifestOf('purpur')];
  const { id } = await importing({ archive: zipOf(t, entries), version: '1.20.2' });
  t.equal(id, 'my-server-2', 'the id is known before the record is opened');
  t.match(daemon.instances.get(id)?.config, {
    name: 'From elsewhere',
    software: 'purpur',
    version: '1.20.2',
    port: 4_000,
  });
  t.notOk(
    existsSync(path.join(home.instanceDirectory(id), 'gamekeeper-export.json')),
    'the manifest is not left in the server folder',
  );
});

t.test('a server with the index of a modpack is still that server', async (t) => {
  const index = { name: 'modrinth.index.json', content: indexOf([]) };
  for (const more of [[], [manifestOf('paper')]]) {
    const archive = zipOf(t, [...SERVER, index, ...more]);
    t.match(await call.recognise({ archive, dryRun: true }), { software: { value: 'paper' } });
    const { id } = await importing({ archive });
    t.ok(existsSync(path.join(home.instanceDirectory(id), 'world/level.dat')));
  }
  const archive = zipOf(t, [index, { name: 'overrides/config/a.toml', content: 'a' }]);
  const { id } = await importing({ archive, name: 'A pack' });
  t.equal(daemon.instances.get(id)?.config.software, 'fabric', 'a modpack, whatever its file is called');
});

t.test('an archive cannot turn on auto-start or accept a licence', async (t) => {
  const eula: HandmadeEntry = { name: 'eula.txt', content: 'eula=true\n' };
  const entries = [...SERVER.filter(({ name }) => name !== 'eula.txt'), eula, manifestOf('paper')];
  const archive = zipOf(t, entries);
  const { id, recognised } = await importing({ archive });
  const config = daemon.instances.get(id)!.config;
  t.match(config, { eulaAccepted: false, autoStart: false });
  t.notOk(config.autoResume);
  t.equal(recognised.acceptEula, undefined, 'ignored fields are not returned');
  t.notOk(existsSync(path.join(home.instanceDirectory(id), 'eula.txt')), 'a start would take it for an acceptance');
  const asked = await importing({ archive, name: 'Asked', acceptEula: true, autoStart: true });
  t.match(daemon.instances.get(asked.id)?.config, { eulaAccepted: true, autoStart: true });
});

t.test('an archive cannot choose the launch command', async (t) => {
  const archive = zipOf(t, [
    { name: 'start.sh', content: '#!/bin/sh\nexec java -Xmx1G -jar x.jar\n' },
    manifestOf('custom'),
  ]);
  const before = daemon.instances.size;
  const refusal = { code: 'invalid_request', message: /^launch: / };
  await t.rejects(importing({ archive, name: 'Scripted' }), refusal);
  await t.rejects(importing({ archive: zipOf(t, [manifestOf('custom')]) }), refusal, 'without a start script');
  t.equal(daemon.instances.size, before);
  const launch = { command: ['./server'] };
  const { id } = await importing({ archive, name: 'Scripted', launch });
  t.match(daemon.instances.get(id)?.config, { software: 'custom', launch, autoStart: false });
});

t.test('a dry run creates nothing and predicts the result', async (t) => {
  const wrapped = SERVER.map(({ name, ...rest }) => ({ name: `server/${name}`, ...rest }));
  for (const [title, entries] of Object.entries({ SERVER, wrapped, 'an export': [...SERVER, manifestOf('purpur')] })) {
    const archive = zipOf(t, entries);
    const before = daemon.instances.size;
    const looked = await call.recognise({ archive, dryRun: true });
    t.equal(daemon.instances.size, before, title);
    t.same(left(), []);
    t.match(looked, { directory: archive, missing: [], worlds: { value: ['world', 'world_nether'] } });
    const { recognised } = await importing({ archive });
    t.same(looked, recognised, `${title}: the same result`);
  }
  const unknown = await call.recognise({ archive: zipOf(t, [{ name: 'readme.txt', content: 'x' }]), dryRun: true });
  t.match(unknown.missing, [{ field: 'software' }], 'required fields are requested before everything is unpacked');
  const link = zipOf(t, [{ name: 'world', content: '/etc', mode: 0o120777 }]);
  await t.rejects(call.recognise({ archive: link, dryRun: true }), { code: 'invalid_request', message: /is a link/ });
  t.same(left(), []);
});

t.test('a hostile archive is refused and leaves nothing behind', async (t) => {
  const cases: [string, readonly HandmadeEntry[] | Buffer, RegExp][] = [
    ['no ZIP', Buffer.from('hello'), /not a complete ZIP/],
    ['a name that climbs out', [{ name: '../../evil', content: 'x' }], /leads elsewhere/],
    ['an absolute name', [{ name: '/etc/evil', content: 'x' }], /is absolute/],
    ['a link', [{ name: 'world', content: '/etc', mode: 0o120777 }], /is a link/],
    [
      'a name twice',
      [
        { name: 'a', content: 'x' },
        { name: 'A', content: 'y' },
      ],
      /twice/,
    ],
    ['a size that lies', [{ name: 'a', content: 'xx', claims: { size: 1 } }], /size|longer/],
    ['a wrong checksum', [{ name: 'a', content: 'xx', claims: { crc: 1 } }], /checksum/],
    ['no server', [{ name: 'readme.txt', content: 'x' }], /^software: /],
  ];
  const before = daemon.instances.size;
  for (const [title, entries, message] of cases)
    await t.rejects(importing({ archive: zipOf(t, entries) }), { code: 'invalid_request', message }, title);
  t.equal(daemon.instances.size, before);
  t.same(left(), []);
});

t.test('a manifest obeys the rules of requests, and the request can replace its values', async (t) => {
  const hostile = {
    ...{ name: '', version: 'x'.repeat(65), port: 70_000, memoryMb: -1, maxPlayers: 1e15, stopTimeoutSeconds: 1e9 },
    ...{ hangSeconds: 1, sleepWhenEmptyMinutes: -5, readyPattern: '', stopCommand: 'stop\nop stranger' },
  };
  const before = daemon.instances.size;
  for (const [field, value] of Object.entries(hostile))
    await t.rejects(
      importing({ archive: zipOf(t, [...SERVER, manifestOf('paper', { [field]: value })]) }),
      { code: 'invalid_request', message: new RegExp(`^${field}: the value in the server's files is not allowed`) },
      field,
    );
  await t.rejects(importing({ archive: zipOf(t, [...SERVER, manifestOf('')]) }), { message: /^software: / });
  t.equal(daemon.instances.size, before);
  const archive = zipOf(t, [...SERVER, manifestOf('paper', { memoryMb: -1 })]);
  const { id } = await importing({ archive, memoryMb: 2_000 });
  t.ok(daemon.instances.has(id));
  t.same(left(), []);
});

t.test('a file that is no archive is refused at once', async (t) => {
  const folder = temporaryFolder(t);
  for (const [archive, message] of [
    ['server.zip', /absolute/],
    [path.join(folder, 'none.zip'), /does not exist/],
    [folder, /is not a file/],
  ] as const)
    await t.rejects(call.startImport({ archive }), { code: 'invalid_request', message });
  await t.rejects(call.startImport({ archive: zipOf(t, SERVER), id: 'my-server' }), { code: 'instance_exists' });
});

t.test('a ZIP with too many entries is refused before its directory is read', async (t) => {
  // A ZIP64 end record that announces half a million entries and one, its locator, and the end record (APPNOTE.TXT 4.3.14 to 4.3.16).
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) end64.writeBigUInt64LE(500_001n, at);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  for (const at of [8, 10]) end.writeUInt16LE(0xffff, at);
  for (const at of [12, 16]) end.writeUInt32LE(0xffffffff, at);
  await t.rejects(importing({ archive: zipOf(t, Buffer.concat([end64, locator, end])) }), {
    code: 'invalid_request',
    message: /It has 500,001 entries, more than the 500,000 that can be unpacked\. Unpack it yourself/,
  });
  t.same(left(), []);
});
