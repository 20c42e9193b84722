import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { peek } from '../../../../workers/pool/extract/peek.ts';
import { recognise } from '../../../../workers/pool/recognise/recognise.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { zipBytes } from '../zip-bytes.ts';
import { type Files, jar, paperclip, SETTINGS, vanillaJar, writeServer } from './server-folders.ts';

const certain = (value: unknown, from: string) => ({ value, from, sure: 'certain' });
const likely = (value: unknown, from: string) => ({ value, from, sure: 'likely' });
const guess = (value: unknown, from: string) => ({ value, from, sure: 'guess' });
const FORGE = 'libraries/net/minecraftforge/forge';
const NEOFORGE = 'libraries/net/neoforged/neoforge';
const ARGS = process.platform === 'win32' ? 'win_args.txt' : 'unix_args.txt';

/** The files of every kind, and the expected findings. */
const KINDS: Record<string, { files: Files; found: object; java?: number }> = {
  'vanilla of today': {
    files: { ...SETTINGS, 'server.jar': vanillaJar },
    found: {
      software: certain('vanilla', 'server.jar'),
      version: certain('1.20.4', 'server.jar'),
      program: certain('server.jar', 'server.jar'),
      port: certain(25_570, 'server.properties'),
      acceptEula: certain(true, 'eula.txt'),
      worlds: { value: ['world', 'world_nether'], sure: 'certain' },
    },
    java: 17,
  },
  'vanilla of old, by the name of its jar': {
    files: { 'minecraft_server.1.12.2.jar': jar('net.minecraft.server.MinecraftServer') },
    found: {
      software: certain('vanilla', 'minecraft_server.1.12.2.jar'),
      version: likely('1.12.2', 'minecraft_server.1.12.2.jar'),
    },
  },
  'vanilla of old, by its log': {
    files: {
      'server.jar': jar('net.minecraft.server.MinecraftServer'),
      'logs/latest.log': '[08:15:00] [Server thread/INFO]: Starting minecraft server version 1.7.10\n',
    },
    found: { software: certain('vanilla', 'server.jar'), version: likely('1.7.10', 'logs/latest.log') },
  },
  'vanilla that does not tell its version': {
    files: { 'server.jar': jar('net.minecraft.server.MinecraftServer') },
    found: { software: certain('vanilla', 'server.jar') },
  },
  paper: {
    files: { ...SETTINGS, 'paper-1.21.4-232.jar': paperclip('paper') },
    found: {
      software: certain('paper', 'paper-1.21.4-232.jar'),
      version: certain('1.21.4', 'paper-1.21.4-232.jar'),
    },
    java: 21,
  },
  folia: {
    files: { 'server.jar': paperclip('folia') },
    found: { software: certain('folia', 'server.jar'), version: certain('1.21.4', 'server.jar') },
  },
  purpur: {
    files: { 'server.jar': paperclip('purpur') },
    found: { software: certain('purpur', 'server.jar') },
  },
  'paper of old, by what it has written': {
    files: {
      'paperclip.jar': jar('com.destroystokyo.paperclip.Paperclip'),
      'version_history.json': '{"currentVersion":"git-Paper-1618 (MC: 1.12.2)"}',
    },
    found: { software: certain('paper', 'paperclip.jar'), version: certain('1.12.2', 'version_history.json') },
  },
  'a fork of paper is run as it is': {
    files: { 'pufferfish.jar': paperclip('pufferfish') },
    found: {
      software: certain('custom', 'pufferfish.jar'),
      launch: { value: ['java', '-Xmx1536M', '-jar', 'pufferfish.jar', 'nogui'] },
      notes: [/pufferfish/],
    },
    java: 21,
  },
  'spigot is run as it is, with the memory that its script gives it': {
    files: {
      'spigot-1.20.1.jar': jar('org.bukkit.craftbukkit.bootstrap.Main', { 'version.json': '{"id":"1.20.1"}' }),
      'start.sh': '#!/bin/sh\njava -Xms1G -Xmx3G -jar spigot-1.20.1.jar nogui\n',
    },
    found: {
      software: certain('custom', 'spigot-1.20.1.jar'),
      launch: { value: ['java', '-Xmx3072M', '-jar', 'spigot-1.20.1.jar', 'nogui'] },
      memoryMb: likely(4096, 'start.sh'),
    },
  },
  'fabric with the launcher of today': {
    files: {
      'fabric-server-mc.1.20.4-loader.0.15.11-launcher.1.0.1.jar': jar('net.fabricmc.installer.ServerLauncher', {
        'install.properties': 'fabric-loader-version=0.15.11\ngame-version=1.20.4\n',
      }),
    },
    found: {
      software: { value: 'fabric' },
      version: { value: '1.20.4', sure: 'certain' },
      build: { value: '0.15.11' },
    },
  },
  'fabric with the launcher of old, beside the server that it loads': {
    files: {
      'server.jar': vanillaJar,
      'fabric-server-launch.jar': jar('net.fabricmc.loader.impl.launch.server.FabricServerLauncher'),
      'libraries/net/fabricmc/intermediary/1.20.4/intermediary-1.20.4.jar': '',
      'libraries/net/fabricmc/fabric-loader/0.15.11/fabric-loader-0.15.11.jar': '',
    },
    found: {
      software: certain('fabric', 'fabric-server-launch.jar'),
      version: certain('1.20.4', 'libraries/net/fabricmc/intermediary'),
      build: { value: '0.15.11' },
    },
    java: 17,
  },
  quilt: {
    files: {
      'server.jar': vanillaJar,
      'quilt-server-launch.jar': jar('org.quiltmc.loader.impl.launch.server.QuiltServerLauncher'),
      'libraries/org/quiltmc/quilt-loader/0.26.0/quilt-loader-0.26.0.jar': '',
    },
    found: {
      software: certain('quilt', 'quilt-server-launch.jar'),
      version: certain('1.20.4', 'server.jar'),
      build: { value: '0.26.0' },
    },
  },
  'forge, of which an older build is still there': {
    files: {
      [`${FORGE}/1.20.1-47.2.0/${ARGS}`]: '--launchTarget forgeserver --fml.forgeVersion 47.2.0 --fml.mcVersion 1.20.1',
      [`${FORGE}/1.20.1-47.1.0/${ARGS}`]: '--fml.mcVersion 1.20.1',
      'run.sh': `#!/usr/bin/env sh\njava @user_jvm_args.txt @${FORGE}/1.20.1-47.2.0/unix_args.txt "$@"\n`,
      'user_jvm_args.txt': '# -Xmx4G\n-Xms1G\n-Xmx6G\n',
    },
    found: {
      software: { value: 'forge', sure: 'certain' },
      version: { value: '1.20.1', sure: 'certain' },
      build: { value: '1.20.1-47.2.0' },
      program: { value: `${FORGE}/1.20.1-47.2.0/${ARGS}` },
      memoryMb: certain(7168, 'user_jvm_args.txt'),
    },
  },
  'forge of old': {
    files: {
      'forge-1.12.2-14.23.5.2859.jar': jar('net.minecraftforge.fml.relauncher.ServerLaunchWrapper'),
      'minecraft_server.1.12.2.jar': jar('net.minecraft.server.MinecraftServer'),
      'forge-1.12.2-14.23.5.2859-installer.jar': jar('net.minecraftforge.installer.SimpleInstaller'),
    },
    found: {
      software: certain('forge', 'forge-1.12.2-14.23.5.2859.jar'),
      version: { value: '1.12.2', sure: 'certain' },
      build: { value: '1.12.2-14.23.5.2859' },
    },
  },
  neoforge: {
    files: { [`${NEOFORGE}/21.1.66/${ARGS}`]: '--fml.neoForgeVersion 21.1.66\n--fml.mcVersion 1.21.1\n' },
    found: {
      software: { value: 'neoforge' },
      version: { value: '1.21.1', sure: 'certain' },
      build: { value: '21.1.66' },
    },
  },
  velocity: {
    files: {
      'velocity.jar': jar('com.velocitypowered.proxy.Velocity', {
        manifest: 'Implementation-Version: 3.3.0-SNAPSHOT (git-36d4e1e8-b363)\r\n',
      }),
      'velocity.toml': 'config-version = "2.7"\n# bind = "x:1"\nbind = "0.0.0.0:25599"\n',
    },
    found: {
      software: certain('velocity', 'velocity.jar'),
      version: certain('3.3.0-SNAPSHOT', 'velocity.jar'),
      port: certain(25_599, 'velocity.toml'),
    },
  },
  bedrock: {
    files: {
      bedrock_server: 'ELF',
      'server.properties': 'server-port=19140\nlevel-name=Bedrock level\n',
      'behavior_packs/vanilla_1.9.0/manifest.json': '{}',
      'behavior_packs/vanilla_1.21.44/manifest.json': '{}',
      'worlds/Bedrock level/level.dat': 'x',
    },
    found: {
      software: certain('bedrock', 'bedrock_server'),
      version: guess('1.21.44', 'behavior_packs'),
      port: certain(19_140, 'server.properties'),
      worlds: { value: ['worlds/Bedrock level'] },
    },
  },
  'a script of which nothing else is known': {
    files: { 'run.sh': '#!/bin/sh\nexec /usr/lib/jvm/java-21-openjdk-amd64/bin/java -cp "lib/*" com.example.Main\n' },
    found: { software: guess('custom', 'run.sh'), launch: guess(['./run.sh'], 'run.sh') },
  },
};

/** Returns every file's content and times, which must not change. */
function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .sort()
    .map((name) => {
      const stats = lstatSync(path.join(folder, name), { bigint: true });
      const content = stats.isFile() ? readFileSync(path.join(folder, name), 'base64') : '';
      return `${name} ${stats.mode} ${stats.mtimeNs} ${stats.ctimeNs} ${content}`;
    });
}

for (const [title, { files, found, java }] of Object.entries(KINDS))
  t.test(title, async (t) => {
    const directory = writeServer(temporaryFolder(t), files);
    const before = everything(directory);
    const result = await recognise({ directory });
    t.match(result.findings, found);
    if (java !== undefined) t.equal(result.java, java);
    t.same(everything(directory), before, 'the folder is unchanged');
    for (const prefix of ['', 'My server/']) {
      const unpacked = path.join(temporaryFolder(t), 'unpacked');
      const { folder } = await peek({ archive: zipOf(t, files, prefix), target: unpacked });
      const { notes, ...rest } = result.findings;
      t.match((await recognise({ directory: folder })).findings, rest, `the same in a ZIP, in "${prefix}"`);
    }
  });

t.test('only the files of a ZIP that tell its content are unpacked', async (t) => {
  const files = {
    'paper.jar': Buffer.concat([Buffer.alloc(1024 * 1024), paperclip('paper')]),
    'logs/latest.log': 'x'.repeat(1024 * 1024),
    'world/level.dat': 'x',
    'world/region/r.0.0.mca': 'x'.repeat(1024 * 1024),
    'a/b/c/d/e/f/g/h.txt': 'x',
  };
  const { folder } = await peek({ archive: zipOf(t, files), target: path.join(temporaryFolder(t), 'unpacked') });
  const size = (name: string) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size;
  t.same(Object.keys(files).map(size), [files['paper.jar'].length, 256 * 1024, 1, 0, undefined]);
});

function zipOf(t: Test, files: Files, prefix = ''): string {
  const archive = path.join(temporaryFolder(t), 'server.zip');
  // Files that every server has.
  const all = { ...files, 'banned-ips.json': '[]' };
  const entries = Object.entries(all).map(([name, content]) => ({ name: `${prefix}${name}`, content }));
  writeFileSync(archive, zipBytes(entries));
  return archive;
}

t.test('the jar that the script names is the server, among any other files', async (t) => {
  const directory = writeServer(temporaryFolder(t), {
    'old.jar': paperclip('paper', '1.20.4'),
    'new.jar': paperclip('paper', '1.21.4'),
    'start.bat':
      '@echo off\r\nREM java -jar new.jar\r\n"C:\\Java\\jdk-17\\bin\\java.exe" -Xmx2048m -XX:+UseG1GC -jar old.jar\r\n',
  });
  utimesSync(path.join(directory, 'old.jar'), 1, 1);
  const { findings, scriptJava } = await recognise({ directory });
  t.match(findings, { version: { value: '1.20.4' }, memoryMb: likely(2731, 'start.bat'), notes: [/start\.bat/] });
  t.same(scriptJava, { value: '17', from: 'start.bat' });
});

t.test('enabled RCON, worlds and their locks are found', async (t) => {
  const directory = writeServer(temporaryFolder(t), {
    ...SETTINGS,
    'server.properties': 'enable-rcon=true\nrcon.port=25599\nrcon.password=hunter22\nlevel-name=world_nether\n',
  });
  const { findings, locks, nested } = await recognise({ directory });
  t.match(findings, { rconPort: certain(25_599, 'server.properties'), worlds: { value: ['world_nether', 'world'] } });
  t.notMatch(JSON.stringify(findings), 'hunter22');
  t.same(locks, ['world/session.lock']);
  t.same(nested, [], 'worlds are not servers');
});

t.test('a server one folder further down is reported', async (t) => {
  const directory = temporaryFolder(t);
  writeServer(path.join(directory, 'Survival'), { 'server.jar': vanillaJar });
  t.match(await recognise({ directory }), { findings: { notes: [] }, nested: ['Survival'] });
});

t.test('links out of the folder are not followed, and links within it are', async (t) => {
  const outside = writeServer(temporaryFolder(t), { 'server.jar': vanillaJar, 'eula.txt': 'eula=true\n' });
  const directory = writeServer(temporaryFolder(t), { 'jars/paper.jar': paperclip('paper') });
  symlinkSync(path.join(outside, 'server.jar'), path.join(directory, 'server.jar'));
  symlinkSync(path.join(outside, 'eula.txt'), path.join(directory, 'eula.txt'));
  symlinkSync('jars/paper.jar', path.join(directory, 'current.jar'));
  const { findings } = await recognise({ directory });
  t.match(findings, { software: certain('paper', 'current.jar'), acceptEula: undefined });
});

t.test('hostile files take no longer than ordinary ones', async (t) => {
  const directory = temporaryFolder(t);
  const manifest = 'Main-Class: net.minecraft.server.Main\r\n\r\n';
  const bomb = { name: 'version.json', content: Buffer.alloc(50_000_000), method: 'deflated' as const };
  writeServer(directory, {
    'a-bomb.jar': zipBytes([
      { ...bomb, claims: { size: 10 } },
      { name: 'META-INF/MANIFEST.MF', content: manifest },
    ]),
    'b-no-zip.jar': 'MZ',
    'c-cut-off.jar': vanillaJar.subarray(0, 400),
    'd-many.jar': zipBytes(Array.from({ length: 60_000 }, (_, n) => ({ name: `${n}` }))),
    'e.jar': jar(`x${'y'.repeat(70_000)}`),
    'server.properties': '\\u12',
    'eula.txt': 'x',
    'version_history.json': '{"currentVersion":"(MC: ../../etc)"}',
  });
  truncateSync(path.join(directory, 'eula.txt'), 10 ** 12);
  mkdirSync(path.join(directory, 'f.jar'));
  execFileSync('mkfifo', [path.join(directory, 'g.jar'), path.join(directory, 'start.sh')]);
  writeServer(directory, { 'h.jar': vanillaJar });
  chmodSync(path.join(directory, 'h.jar'), 0o000);
  const { findings } = await recognise({ directory });
  t.match(findings, { notes: [/server\.properties cannot be read/] });
  t.notMatch(JSON.stringify(findings), '../../etc');
});

t.test('an empty folder gives no findings', async (t: Test) => {
  t.same(await recognise({ directory: temporaryFolder(t) }), { findings: { notes: [] }, locks: [], nested: [] });
});
