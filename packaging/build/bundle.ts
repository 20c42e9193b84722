import { relative } from 'node:path';
import { type PluginContext, rolldown } from 'rolldown';
import { takeBuiltins } from './builtins.ts';

/** Packages that a bundle must not contain, and why. */
export interface BannedPackages {
  packages: string[];
  reason: string;
}

export interface BundleOptions {
  /** The checkout. */
  root: string;
  /** The entry, relative to the root. */
  source: string;
  /** Where the bundle will be written. The paths of its source map are relative to it. */
  file: string;
  banned?: BannedPackages | undefined;
  /** Packages that this entry needs rarely. They are loaded from node_modules when needed. */
  lazy?: string[] | undefined;
}

export interface Bundled {
  code: string;
  map: string;
  /** The names of the entry's exports. */
  exports: string[];
}

/**
 * Loaded from node_modules at run time: node-pty and ssh2 have native parts, Piscina starts its own worker file by path, and the others are
 * large and rarely needed.
 */
const EXTERNAL = ['node-pty', 'piscina', 'ssh2', '@aws-sdk/client-s3', 'webdav', 'age-encryption'];

/**
 * Bundles one entry with its imports into one ES module for Node 24. Keeps names and line breaks, so that a stack trace is readable without the
 * source map. Throws if an import cannot be resolved, or shows the chain of imports that leads to a banned package.
 */
export async function bundle({ root, source, file, banned, lazy = [] }: BundleOptions): Promise<Bundled> {
  const importers = new Map<string, readonly string[]>();
  const build = await rolldown({
    cwd: root,
    input: source,
    platform: 'node',
    external: [...EXTERNAL, ...lazy],
    transform: { target: 'node24' },
    logLevel: 'warn',
    onLog(level, log, print) {
      // Otherwise a typo in a path is noticed only when the code runs.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      // A package's own affair: depd, below oidc-provider, counts a function's parameters with it.
      if (log.code === 'EVAL' && log.id?.includes('/node_modules/')) return;
      print(level, log);
    },
    plugins: [
      {
        name: 'record-importers',
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
      // One character beyond Latin-1 would make V8 store the whole source with two bytes for each character.
      charset: 'ascii',
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    const [chunk] = output;
    requireAscii(chunk.code);
    if (banned) refuse({ banned, modules: Object.keys(chunk.modules), importers, root });
    return { code: takeBuiltins(chunk.code), map: chunk.map?.toString() ?? '', exports: chunk.exports };
  } finally {
    await build.close();
  }
}

/** Rolldown escapes characters everywhere but in tagged templates, where that could change the meaning. */
function requireAscii(code: string): void {
  const line = /^.*[^\0-\x7f].*$/m.exec(code)?.[0].trim();
  if (line !== undefined)
    throw new Error(
      `a tagged template must be ASCII; write \\u2019 or &rsquo; instead of a character like \u2019:\n  ${line}`,
    );
}

interface RefuseOptions {
  banned: BannedPackages;
  modules: string[];
  importers: ReadonlyMap<string, readonly string[]>;
  root: string;
}

function refuse({ banned, modules, importers, root }: RefuseOptions): void {
  for (const name of banned.packages) {
    const found = modules.find((id) => id.includes(`/node_modules/${name}/`));
    if (found === undefined) continue;
    const chain = importChain(found, importers).map((id) => relative(root, id));
    throw new Error(`it must not contain ${name} (${banned.reason}), but:\n  ${chain.join('\n  imports ')}`);
  }
}

/** Returns the shortest chain of imports from the entry to the module. */
function importChain(module: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const chains: string[][] = [[module]];
  const seen = new Set([module]);
  for (let chain = chains.shift(); chain; chain = chains.shift()) {
    const above = importers.get(chain[0] ?? '') ?? [];
    if (above.length === 0) return chain;
    for (const id of above) {
      if (seen.has(id)) continue;
      seen.add(id);
      chains.push([id, ...chain]);
    }
  }
  return [module];
}
