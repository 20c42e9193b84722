import { dirname, relative, sep } from 'node:path';

/** What a loader is written for; paths are absolute. */
export interface LoaderOptions {
  /** The loader's own file, `.../main.js`; it loads `main.bundle.js` beside it. */
  target: string;
  cacheFolder: string;
  /** The bundle's exports, which the loader passes on. */
  exports: string[];
}

/**
 * The few lines that stand between `node dist/daemon/main.js` and the bundle. Only code that is loaded after the compile
 * cache was turned on is cached: hence a file of its own.
 */
export function loader({ target, cacheFolder, exports }: LoaderOptions): string {
  const cache = relative(dirname(target), cacheFolder).split(sep).join('/');
  const names = exports.filter((name) => name !== 'default');
  const lines = [
    '// Written by packaging/build.ts.',
    "import { enableCompileCache, flushCompileCache } from 'node:module';",
    "import { fileURLToPath } from 'node:url';",
    '',
    '// Beside what it caches, so that nobody who could not change the code can change its cache.',
    `enableCompileCache(fileURLToPath(new URL('${cache}', import.meta.url)));`,
    '// Node writes the cache at exit, but a process that is killed never exits: after 5 s all that a start needs was compiled.',
    'setTimeout(flushCompileCache, 5_000).unref();',
    '',
    `${exports.length > 0 ? 'const bundle = ' : ''}await import('./main.bundle.js');`,
  ];
  if (names.length > 0) lines.push(`export const { ${names.join(', ')} } = bundle;`);
  if (exports.includes('default')) lines.push('export default bundle.default;');
  return `${lines.join('\n')}\n`;
}
