import { relative } from 'node:path';
import { type PluginContext, rolldown } from 'rolldown';

/** Packages that must not get into a bundle, and why. */
export interface BundleStrangers {
  packages: string[];
  reason: string;
}

export interface BundleOptions {
  /** The checkout. */
  root: string;
  /** The entry, relative to the root. */
  source: string;
  /** Where the bundle will be written: its source map's paths are relative to it. */
  file: string;
  strangers?: BundleStrangers | undefined;
  /** Packages that this entry rarely needs, loaded from node_modules when it does. */
  seldom?: string[] | undefined;
}

export interface Bundled {
  code: string;
  map: string;
  /** Names of the entry's exports. */
  exports: string[];
}

/**
 * Loaded from node_modules at run time: node-pty and ssh2 have native parts, Piscina starts its own worker file by path, and the rest is
 * large but needed by few, so that nobody else should have it in memory.
 */
const EXTERNAL = ['node-pty', 'piscina', 'ssh2', '@aws-sdk/client-s3', 'webdav', 'age-encryption'];

/**
 * Bundles one entry with everything it imports into one ES module for Node 24. Names and line breaks stay as they are, so
 * that a stack trace says what happened even without the source map.
 *
 * @throws {Error} when something cannot be resolved, or a stranger got in; the message shows the way it came
 */
export async function bundle({ root, source, file, strangers, seldom = [] }: BundleOptions): Promise<Bundled> {
  const importers = new Map<string, readonly string[]>();
  const build = await rolldown({
    cwd: root,
    input: source,
    platform: 'node',
    external: [...EXTERNAL, ...seldom],
    transform: { target: 'node24' },
    logLevel: 'warn',
    onLog(level, log, print) {
      // A typo in a path would otherwise only be found when the code runs.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      print(level, log);
    },
    plugins: [
      {
        name: 'remember-who-imports-whom',
        buildEnd(this: PluginContext) {
          for (const id of this.getModuleIds()) {
            const info = this.getModuleInfo(id);
            importers.set(id, [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])]);
          }
        },
      },
    ],
  });
  try {
    const { output } = await build.generate({
      file,
      format: 'esm',
      codeSplitting: false,
      minify: 'dce-only',
      comments: false,
      // A single character beyond Latin-1 would make V8 keep the whole source in two bytes per character.
      charset: 'ascii',
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    const [chunk] = output;
    if (strangers) refuse({ strangers, modules: Object.keys(chunk.modules), importers, root });
    return { code: chunk.code, map: chunk.map?.toString() ?? '', exports: chunk.exports };
  } finally {
    await build.close();
  }
}

interface RefuseOptions {
  strangers: BundleStrangers;
  modules: string[];
  importers: ReadonlyMap<string, readonly string[]>;
  root: string;
}

function refuse({ strangers, modules, importers, root }: RefuseOptions): void {
  for (const name of strangers.packages) {
    const found = modules.find((id) => id.includes(`/node_modules/${name}/`));
    if (found === undefined) continue;
    const chain = wayIn(found, importers).map((id) => relative(root, id));
    throw new Error(`it must not contain ${name} (${strangers.reason}), but:\n  ${chain.join('\n  imports ')}`);
  }
}

/** From the entry to the module, each importing the next: the shortest way, found breadth first. */
function wayIn(module: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const ways: string[][] = [[module]];
  const seen = new Set([module]);
  for (let way = ways.shift(); way; way = ways.shift()) {
    const above = importers.get(way[0] ?? '') ?? [];
    if (above.length === 0) return way;
    for (const id of above) {
      if (seen.has(id)) continue;
      seen.add(id);
      ways.push([id, ...way]);
    }
  }
  return [module];
}
