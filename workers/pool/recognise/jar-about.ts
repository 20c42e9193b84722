import type { JarAbout } from '../task-types.ts';

/** Longer names are cut. */
const MAX_LENGTH = 100;
/** Longer lines are cut, so that no pattern takes long. */
const MAX_LINE = 500;

const MANIFEST = 'META-INF/MANIFEST.MF';

/** How each descriptor is read, best first. */
const READERS: readonly [name: string, read: (text: string) => Partial<JarAbout> | undefined][] = [
  // docs.papermc.io, "Paper plugins" and "plugin.yml"
  ['paper-plugin.yml', fromYaml],
  ['plugin.yml', fromYaml],
  // docs.papermc.io/velocity, "Creating your first plugin": made by the annotation
  ['velocity-plugin.json', fromJson((root) => root)],
  // wiki.fabricmc.net/documentation:fabric_mod_json; quilt-mod-json (QuiltMC RFC 0002)
  ['quilt.mod.json', fromJson(quiltMod)],
  ['fabric.mod.json', fromJson((root) => root)],
  // docs.neoforged.net, "Mod files"; docs.minecraftforge.net, "mods.toml"
  ['META-INF/neoforge.mods.toml', fromToml],
  ['META-INF/mods.toml', fromToml],
  // Forge up to 1.12
  ['mcmod.info', fromJson((root) => first(root) ?? first(member(root, 'modList')))],
];

export const DESCRIPTORS: readonly string[] = [...READERS.map(([name]) => name), MANIFEST];

/** Returns name and version of a mod or plugin from its descriptors, or `undefined` if none has them. */
export function aboutJar(texts: ReadonlyMap<string, string>): JarAbout | undefined {
  for (const [descriptor, read] of READERS) {
    const text = texts.get(descriptor);
    const said = text === undefined ? undefined : read(text);
    const name = clean(said?.name);
    if (name === undefined) continue;
    const version = clean(said?.version?.startsWith('${') ? manifestVersion(texts.get(MANIFEST)) : said?.version);
    return { name, ...(version !== undefined && { version }) };
  }
  return undefined;
}

/** Reads `name` and `version` at the top level. In every plugin that loads they are plain scalars, so no YAML parser is needed. */
function fromYaml(text: string): Partial<JarAbout> {
  return compact(yamlScalar(text, 'name'), yamlScalar(text, 'version'));
}

function yamlScalar(text: string, key: string): string | undefined {
  const value = new RegExp(`^["']?${key}["']?[ \\t]*:[ \\t]*(.*)$`, 'm').exec(text)?.[1]?.slice(0, MAX_LINE).trim();
  const quoted = /^(["'])(.*?)\1/.exec(value ?? '');
  return quoted ? quoted[2] : value?.replace(/\s+#.*$/, '');
}

/** Reads `displayName` and `version` of the first `[[mods]]`. Single-line strings only, which is what everybody writes. */
function fromToml(text: string): Partial<JarAbout> {
  const [, mods = ''] = text.split(/^[ \t]*\[\[[ \t]*mods[ \t]*\]\]/m);
  const [table = ''] = mods.split(/^[ \t]*\[/m);
  return compact(tomlString(table, 'displayName') ?? tomlString(table, 'modId'), tomlString(table, 'version'));
}

function tomlString(table: string, key: string): string | undefined {
  return new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*(["'])(.*?)\\1`, 'm').exec(table)?.[2];
}

function fromJson(pick: (root: unknown) => unknown): (text: string) => Partial<JarAbout> | undefined {
  return (text) => {
    const root = pick(parsed(text));
    const name = member(root, 'name') ?? member(root, 'id') ?? member(root, 'modid');
    return compact(name, member(root, 'version'));
  };
}

function quiltMod(root: unknown): unknown {
  const loader = member(root, 'quilt_loader');
  const name = member(member(loader, 'metadata'), 'name') ?? member(loader, 'id');
  return { name, version: member(loader, 'version') };
}

/** The value for Forge's `${file.jarVersion}`. */
function manifestVersion(manifest: string | undefined): string | undefined {
  return /^Implementation-Version:[ \t]*(.+)$/m.exec(manifest ?? '')?.[1];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function compact(name: unknown, version: unknown): Partial<JarAbout> {
  return { ...(typeof name === 'string' && { name }), ...(typeof version === 'string' && { version }) };
}

function clean(text: string | undefined): string | undefined {
  const plain = text
    ?.replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH);
  return plain === '' ? undefined : plain;
}
