import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { zipBytes } from '../zip-bytes.ts';

/** Content by path. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** Writes files into a new folder. */
export function writeServer(folder: string, files: Files): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/** A jar with this main class and these files. */
export function jar(mainClass: string, files: Files = {}): Buffer {
  const manifest = `Manifest-Version: 1.0\r\nMain-Class: ${mainClass}\r\n${files.manifest ?? ''}\r\n`;
  const entries = Object.entries(files).filter(([name]) => name !== 'manifest');
  return zipBytes([
    { name: 'META-INF/MANIFEST.MF', content: manifest, method: 'deflated' },
    ...entries.map(([name, content]) => ({ name, content, method: 'deflated' as const })),
  ]);
}

const versionJson = (id: string, java: number) => JSON.stringify({ id, name: id, java_version: java, stable: true });

/** Mojang's own since 1.18; version.json names the version. */
export const vanillaJar = jar('net.minecraft.bundler.Main', {
  'META-INF/versions.list': 'ab\t1.20.4\t1.20.4/server-1.20.4.jar',
  'version.json': versionJson('1.20.4', 17),
});

/** Paperclip, which starts Paper and its derivatives. */
export function paperclip(product: string, version = '1.21.4'): Buffer {
  return jar('io.papermc.paperclip.Main', {
    'META-INF/patches.list': `versions\ta\tb\tc\t${version}/server-${version}.jar\t${version}/${product}-${version}.jar`,
    'META-INF/versions.list': `ab\t${version}\t${version}/${product}-${version}.jar`,
    'version.json': versionJson(version, 21),
  });
}

/** Files that most servers have. */
export const SETTINGS: Files = {
  'server.properties': '#Minecraft server properties\nserver-port=25570\nenable-rcon=false\nlevel-name=world\n',
  'eula.txt': '#By changing the setting below to TRUE you are indicating your agreement to our EULA.\neula=true\n',
  'world/level.dat': 'x',
  'world/session.lock': '☃',
  'world_nether/level.dat': 'x',
};
