/**
 * `node packaging/proxy/packages.ts`, for the image: reduces package.json to the packages that the proxy loads at run time, so that
 * `npm prune` removes all others.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRIES } from '../build/entries.ts';
import { root } from '../prepare.mjs';

/** Its file for browsers is served; it is not imported. */
const SERVED = ['@simplewebauthn/browser'];

const file = join(root, 'package.json');
const { version, license, type, dependencies } = JSON.parse(readFileSync(file, 'utf8'));
const lazy = ENTRIES.find(({ source }) => source === 'gateway/proxy/main.ts')?.lazy ?? [];
const needed = [...lazy, ...SERVED].map((name) => {
  if (dependencies[name] === undefined) throw new Error(`${name} is not in the dependencies of package.json.`);
  return [name, dependencies[name]];
});
const reduced = {
  name: 'gamekeeper-proxy',
  version,
  private: true,
  license,
  type,
  dependencies: Object.fromEntries(needed),
};
writeFileSync(file, `${JSON.stringify(reduced, undefined, 2)}\n`);
