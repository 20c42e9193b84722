import path from 'node:path';
import type { Sureness } from '../../../shared/schema/import.ts';
import type { FolderView } from './folder-view.ts';
import { manifestOf, readJar } from './read-jar.ts';

export interface JarFacts {
  name: string;
  /** A kind of software; `custom`: a server that Gamekeeper cannot install; `undefined`: no known server. */
  kind: string | undefined;
  title?: string;
  sure: Sureness;
  version?: { value: string; sure: Sureness };
  build?: string;
  /** Major version of Java, according to the jar. */
  java?: number;
}

const FILES = [
  'META-INF/MANIFEST.MF',
  'META-INF/versions.list',
  'META-INF/patches.list',
  'version.json',
  'install.properties',
  'patch.properties',
];

/** The beginnings of main classes. For Paperclip, other files tell the kind. */
const MAIN_CLASSES: readonly (readonly [RegExp, Pick<JarFacts, 'kind' | 'title'>])[] = [
  [/^net\.minecraft\.(?:bundler\.Main|server\.(?:Main|MinecraftServer))$/, { kind: 'vanilla' }],
  [/^io\.papermc\.paperclip\.|^com\.destroystokyo\.paperclip\.|^org\.github\.paperspigot\./, { kind: 'paper' }],
  [/^net\.fabricmc\.(?:loader\.(?:impl\.)?launch\.server\.|installer\.ServerLauncher$)/, { kind: 'fabric' }],
  [/^org\.quiltmc\.loader\..*server\./i, { kind: 'quilt' }],
  [/^net\.minecraftforge\.(?:fml\.relauncher|server|bootstrap)\.|^cpw\.mods\.fml\.relauncher\./, { kind: 'forge' }],
  [/^com\.velocitypowered\.proxy\./, { kind: 'velocity' }],
  [/^org\.bukkit\.craftbukkit\./, { kind: 'custom', title: 'Spigot or CraftBukkit' }],
  [/^net\.md_5\.bungee\.|^io\.github\.waterfallmc\./, { kind: 'custom', title: 'BungeeCord or Waterfall' }],
];
/** Programs that install servers, but are not servers. */
const INSTALLERS = /installer|^net\.fabricmc\.installer\.Main$/i;
/** The kinds of software that Paperclip starts. */
const OF_PAPERCLIP = ['paper', 'folia', 'purpur'];

/** Returns `undefined` if the jar is no program, or an installer. */
export async function jarFacts(view: FolderView, name: string): Promise<JarFacts | undefined> {
  const files = await view.open(name, (descriptor, size) => readJar({ descriptor, size }, FILES));
  const manifest = manifestOf(files?.get(FILES[0]!));
  const main = manifest['Main-Class']?.trim();
  if (!files || main === undefined || INSTALLERS.test(path.basename(name)) || isInstaller(main)) return undefined;
  const [, known] = MAIN_CLASSES.find(([pattern]) => pattern.test(main)) ?? [];
  const ofClip = known?.kind === 'paper' ? paperclipKind(files, name) : undefined;
  return {
    name,
    kind: undefined,
    sure: 'certain',
    ...known,
    ...ofClip,
    ...buildOf(known?.kind, files, name),
    ...versionOf(known?.kind, files, { name, manifest }),
  };
}

function isInstaller(main: string): boolean {
  return main !== 'net.fabricmc.installer.ServerLauncher' && /installer/i.test(main);
}

/** Goes by the name of the patched jar, `1.20.4/paper-1.20.4.jar`. Other names are forks. */
function paperclipKind(files: Map<string, string>, name: string): Pick<JarFacts, 'kind' | 'title' | 'sure'> {
  const lists = `${files.get('META-INF/versions.list') ?? ''}\n${files.get('META-INF/patches.list') ?? ''}`;
  const product = [...lists.matchAll(/\/([a-z]+)-[^/\s]*\.jar/g)].map(([, one]) => one!).find((one) => !isSource(one));
  if (product !== undefined)
    return OF_PAPERCLIP.includes(product)
      ? { kind: product, sure: 'certain' }
      : { kind: 'custom', title: product, sure: 'certain' };
  const named = OF_PAPERCLIP.find((kind) => path.basename(name).toLowerCase().startsWith(kind));
  return { kind: named ?? 'paper', sure: 'likely' };
}

/** Returns true for the jar that is patched, as opposed to the result. */
function isSource(product: string): boolean {
  return product === 'server' || product === 'mojang';
}

function buildOf(kind: string | undefined, files: Map<string, string>, name: string): Pick<JarFacts, 'build'> {
  if (kind === 'forge') {
    const build = /^forge-(.+?)(?:-(?:universal|shim|server))?\.jar$/.exec(path.basename(name))?.[1];
    return build === undefined ? {} : { build };
  }
  const loader = /^fabric-loader-version=(\S+)/m.exec(files.get('install.properties') ?? '')?.[1];
  return loader === undefined ? {} : { build: loader };
}

function versionOf(
  kind: string | undefined,
  files: Map<string, string>,
  { name, manifest }: { name: string; manifest: Record<string, string> },
): Pick<JarFacts, 'version' | 'java'> {
  if (kind === 'velocity') {
    const own = /^\d[\w.-]*/.exec(manifest['Implementation-Version'] ?? '')?.[0];
    return own === undefined ? {} : { version: { value: own, sure: 'certain' } };
  }
  const said = versionJson(files.get('version.json'));
  const other =
    /^game-version=(\S+)/m.exec(files.get('install.properties') ?? '') ??
    /^version=(\S+)/m.exec(files.get('patch.properties') ?? '') ??
    /\t(\d+\.\d[\w.-]*)\//.exec(files.get('META-INF/versions.list') ?? '');
  const certain = said.id ?? other?.[1];
  const guessed = /(?:^|[-._])(\d+\.\d+(?:\.\d+)?)(?=[-_.]|$)/.exec(path.basename(name, '.jar'))?.[1];
  return {
    ...(said.java !== undefined && { java: said.java }),
    ...(certain !== undefined
      ? { version: { value: certain, sure: 'certain' } }
      : guessed !== undefined && { version: { value: guessed, sure: 'likely' } }),
  };
}

/** Mojang's file, in every server since 1.14. */
function versionJson(text: string | undefined): { id?: string; java?: number } {
  try {
    const { id, java_version: java } = JSON.parse(text ?? '{}') as { id?: unknown; java_version?: unknown };
    return {
      ...(typeof id === 'string' && /^[\w.+ -]{1,64}$/.test(id) && { id }),
      ...(typeof java === 'number' && Number.isInteger(java) && { java }),
    };
  } catch {
    // Not JSON: another program's file of that name.
    return {};
  }
}
