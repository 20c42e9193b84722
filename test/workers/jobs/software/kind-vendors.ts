import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Test } from 'tap';
import { VENDOR_NAMES } from '../../../../shared/domain/vendors.ts';
import { type FakeVendors, hash, startFakeVendors } from '../../../support/jobs/fake-vendors.ts';
import { type JavaPrograms, javaPrograms } from '../../../support/jobs/java-programs.ts';

/** A native program that prints what Bedrock's server prints. */
const BEDROCK = `#!/bin/sh
echo '[2026-11-20 08:00:00:123 INFO] Starting Server'
echo '[2026-11-20 08:00:00:456 INFO] Server started.'
while read -r line; do
  case "$line" in
    stop) echo '[2026-11-20 08:00:01:000 INFO] Server stop requested.'; exit 0 ;;
  esac
done
`;

/** What the vendors publish is put here. */
interface Shelf extends Pick<FakeVendors, 'base' | 'files'>, Pick<JavaPrograms, 'server' | 'installer'> {
  /** Publishes a JSON document. */
  json(name: string, value: unknown): void;
  /** Publishes a file with its SHA-1. */
  artifact(name: string, content: Buffer): void;
}

/** All vendors on one local port, with real programs to download. `java` replaces the runtime, which takes seconds to pack. */
export async function startKindVendors(
  t: Test,
  { java }: { java?: Buffer } = {},
): Promise<FakeVendors & { addresses: Record<string, string> }> {
  const { server, installer } = javaPrograms();
  const vendors = await startFakeVendors(t, { server, ...(java && { java }) });
  const { base, files } = vendors;
  const shelf: Shelf = {
    base,
    files,
    server,
    installer,
    json: (name, value) => files.set(name, Buffer.from(JSON.stringify(value))),
    artifact(name, content) {
      files.set(name, content);
      files.set(`${name}.sha1`, Buffer.from(hash('sha1', content)));
    },
  };
  publishPaper(shelf);
  publishPurpur(shelf);
  publishFabric(shelf);
  publishQuilt(shelf);
  publishForge(shelf);
  publishNeoforge(shelf);
  publishBedrock(shelf);
  const addresses = Object.fromEntries(VENDOR_NAMES.map((name) => [name, base]));
  return { ...vendors, addresses };
}

/** docs.papermc.io, "Downloads Service"; fill.papermc.io/swagger-ui */
function publishPaper({ base, files, server, json }: Shelf): void {
  const minecraft = { new: ['1.19.4-rc1'], current: ['1.19.4'], old: ['1.17.1'] };
  for (const [project, version, versions] of [
    ['paper', '1.19.4', minecraft],
    ['folia', '1.19.4', minecraft],
    // Its finished builds belong to versions named snapshots; the last proper version is from 2021.
    ['velocity', '3.4.0-SNAPSHOT', { '3.0.0': ['3.5.0-SNAPSHOT', '3.4.0-SNAPSHOT', '3.1.1'] }],
  ] as const) {
    const jar = `/v1/objects/${project}.jar`;
    files.set(jar, server);
    const root = `/v3/projects/${project}`;
    json(root, { project: { id: project, name: project }, versions });
    const build = (id: number, channel: string) => ({
      id,
      time: '2026-11-01T00:00:00Z',
      channel,
      commits: [],
      downloads: {
        'server:default': {
          name: `${project}-${version}-${id}.jar`,
          url: base + jar,
          size: server.length,
          checksums: { sha256: hash('sha256', server) },
        },
      },
    });
    const publish = (id: string, of: object[]) => {
      const java = { version: { minimum: 17 }, flags: { recommended: [] } };
      json(`${root}/versions/${id}`, { version: { id, java }, builds: [8, 7] });
      json(`${root}/versions/${id}/builds`, of);
    };
    publish(version, [build(8, 'ALPHA'), build(7, 'STABLE')]);
    if (project === 'velocity') {
      publish('3.5.0-SNAPSHOT', [build(9, 'ALPHA')]);
      publish('3.1.1', [build(6, 'STABLE')]);
    }
  }
}

/** purpurmc.org/docs/purpur/developer/api */
function publishPurpur({ files, server, json }: Shelf): void {
  json('/v2/purpur', { project: 'purpur', metadata: { current: '1.19.4' }, versions: ['1.17.1', '1.19.4'] });
  json('/v2/purpur/1.19.4', {
    project: 'purpur',
    version: '1.19.4',
    builds: { latest: '1985', all: ['1984', '1985'] },
  });
  json('/v2/purpur/1.19.4/1985', { build: '1985', md5: hash('md5', server), result: 'SUCCESS' });
  files.set('/v2/purpur/1.19.4/1985/download', server);
}

/** github.com/FabricMC/fabric-meta */
function publishFabric({ files, server, json }: Shelf): void {
  json('/v2/versions/game', [
    { version: '23w13a', stable: false },
    { version: '1.19.4', stable: true },
  ]);
  json('/v2/versions/loader/1.19.4', [
    { loader: { version: '0.18.0-beta', stable: false } },
    { loader: { version: '0.17.3', build: 3, maven: 'net.fabricmc:fabric-loader:0.17.3', stable: true } },
  ]);
  json('/v2/versions/installer', [{ url: 'x', maven: 'y', version: '1.1.0', stable: true }]);
  files.set('/v2/versions/loader/1.19.4/0.17.3/1.1.0/server/jar', server);
}

/** meta.quiltmc.org */
function publishQuilt({ base, installer, json, artifact }: Shelf): void {
  json('/v3/versions/game', [{ version: '1.19.4', stable: true }]);
  json('/v3/versions/loader/1.19.4', [
    { loader: { version: '0.30.0-beta.1' } },
    { loader: { version: '0.29.2', build: 2, maven: 'org.quiltmc:quilt-loader:0.29.2' } },
  ]);
  const quilt = '/repository/release/org/quiltmc/quilt-installer/0.12.1/quilt-installer-0.12.1.jar';
  json('/v3/versions/installer', [
    { url: base + quilt, maven: 'org.quiltmc:quilt-installer:0.12.1', version: '0.12.1' },
  ]);
  artifact(quilt, installer({ 'quilt-server-launch.jar': 'server' }));
}

/** files.minecraftforge.net, promotions_slim.json; installers since 1.17 leave an arguments file, before a jar */
function publishForge({ installer, json, artifact }: Shelf): void {
  json('/net/minecraftforge/forge/promotions_slim.json', {
    homepage: 'https://files.minecraftforge.net/net/minecraftforge/forge/',
    promos: {
      '1.7.10-recommended': '10.13.4.1614',
      '1.16.5-recommended': '36.2.34',
      '1.19.4-latest': '45.4.3',
      '1.19.4-recommended': '45.4.0',
      '1.20-latest': '46.0.14',
    },
  });
  const forge = (build: string, leaves: Record<string, string>) =>
    artifact(`/net/minecraftforge/forge/${build}/forge-${build}-installer.jar`, installer(leaves));
  forge('1.19.4-45.4.0', {
    'libraries/net/minecraftforge/forge/1.19.4-45.4.0/unix_args.txt': '-cp libraries/server.jar Server',
    'libraries/server.jar': 'server',
    'user_jvm_args.txt': '-Xmx4G\n-Downer=me',
    'run.sh': '#!/bin/sh',
  });
  forge('1.16.5-36.2.34', { 'forge-1.16.5-36.2.34.jar': 'server' });
  forge('1.7.10-10.13.4.1614-1.7.10', { 'forge-1.7.10-10.13.4.1614-1.7.10-universal.jar': 'server' });
}

/** maven.neoforged.net, maven-metadata.xml */
function publishNeoforge({ files, installer, artifact }: Shelf): void {
  const builds = ['20.4.237', '21.1.76', '21.1.77', '21.1.78-beta', '0.25w14craftmine.3-beta', '26.1.0.5-beta'];
  files.set(
    '/releases/net/neoforged/neoforge/maven-metadata.xml',
    Buffer.from(
      `<metadata><groupId>net.neoforged</groupId><versioning><latest>21.1.77</latest><versions>${builds
        .map((build) => `<version>${build}</version>`)
        .join('\n')}</versions></versioning></metadata>`,
    ),
  );
  artifact(
    '/releases/net/neoforged/neoforge/20.4.237/neoforge-20.4.237-installer.jar',
    installer({
      'libraries/net/neoforged/neoforge/20.4.237/unix_args.txt': '-cp libraries/server.jar Server',
      'libraries/server.jar': 'server',
    }),
  );
}

/** minecraft.net/download/server/bedrock asks for these links */
function publishBedrock({ base, files, json }: Shelf): void {
  files.set('/bin-linux/bedrock-server-1.21.120.4.zip', bedrockArchive());
  const link = (downloadType: string, downloadUrl: string) => ({ downloadType, downloadUrl });
  json('/api/v1.0/download/links', {
    result: {
      links: [
        link('serverBedrockWindows', `${base}/bin-win/bedrock-server-1.21.120.4.zip`),
        link('serverBedrockLinux', `${base}/bin-linux/bedrock-server-1.21.120.4.zip`),
        link('serverBedrockPreviewLinux', `${base}/bin-linux-preview/bedrock-server-1.21.130.20.zip`),
      ],
    },
  });
}

function bedrockArchive(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bedrock-'));
  try {
    writeFileSync(path.join(folder, 'bedrock_server'), BEDROCK);
    writeFileSync(path.join(folder, 'server.properties'), 'server-name=Dedicated Server\nserver-port=19132\n');
    mkdirSync(path.join(folder, 'config/default'), { recursive: true });
    writeFileSync(path.join(folder, 'config/default/permissions.json'), '{"allowed_modules":[]}');
    const content = ['bedrock_server', 'server.properties', 'config'].flatMap((name) => ['-C', folder, name]);
    execFileSync('jar', ['--create', '--no-manifest', '--file', path.join(folder, 'b.zip'), ...content]);
    return readFileSync(path.join(folder, 'b.zip'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
