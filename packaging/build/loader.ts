import { dirname, relative, sep } from 'node:path';

/** Paths are absolute. */
export interface LoaderOptions {
  /** The loader's own file, `.../main.js`. It loads `main.bundle.js` beside it. */
  target: string;
  cacheFolder: string;
  /** The bundle's exports, which the loader exports again. */
  exports: string[];
}

/** Returns the code of `dist/daemon/main.js`, which loads the bundle. Only code that is loaded after the compile cache was enabled is cached. */
export function loader({ target, cacheFolder, exports }: LoaderOptions): string {
  const cache = relative(dirname(target), cacheFolder).split(sep).join('/');
  const names = exports.filter((name) => name !== 'default');
  const lines = [
    '// Written by packaging/build/build.ts.',
    "import { enableCompileCache, flushCompileCache } from 'node:module';",
    "import { fileURLToPath } from 'node:url';",
    '',
    '// In dist, so that only those who can change the code can change its cache.',
    `enableCompileCache(fileURLToPath(new URL('${cache}', import.meta.url)));`,
    '// Node writes the cache at exit, but a killed process does not exit. After 5 s, everything a start needs is compiled.',
    'setTimeout(flushCompileCache, 5_000).unref();',
    '',
    `${exports.length > 0 ? 'const bundle = ' : ''}await import('./main.bundle.js');`,
  ];
  if (names.length > 0) lines.push(`export const { ${names.join(', ')} } = bundle;`);
  if (exports.includes('default')) lines.push('export default bundle.default;');
  return `${lines.join('\n')}\n`;
}
