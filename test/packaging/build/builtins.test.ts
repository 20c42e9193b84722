import t from 'tap';
import { takeBuiltins } from '../../../packaging/build/builtins.ts';

/** Runs a module's code and resolves to its exports. */
const run = (code: string) =>
  import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Record<string, unknown>>;

t.test("imports of Node's own modules are rewritten and have the same meaning", async (t) => {
  const code = [
    'import path from "node:path";',
    'import { join, sep as separator } from "path";',
    'import process, { argv } from "node:process";',
    'import { setTimeout as setTimeout$1 } from "node:timers/promises";',
    'export const found = [path.join === join, separator, process.argv === argv, typeof setTimeout$1];',
    'export const text = `\nimport fs from "node:fs";\n`;',
  ].join('\n');
  const taken = takeBuiltins(code);
  t.notMatch(taken, /^import /, 'none is left at the beginning');
  t.equal(taken.split('\n').length, code.split('\n').length, 'the source map still fits');
  const { found, text } = await run(taken);
  t.same(found, [true, '/', true, 'function']);
  t.equal(text, '\nimport fs from "node:fs";\n');
});

t.test('other modules and rare forms are imported as before', async (t) => {
  for (const line of [
    'import { spawn } from "node-pty";',
    'import "node:http";',
    'import {} from "node:fs";',
    'import * as zlib from "node:zlib";',
    'import whole, * as all from "node:os";',
    'import { default as path } from "node:path";',
    'import { "module.exports" as os } from "node:os";',
  ])
    t.equal(takeBuiltins(`${line}\nimport fs from "node:fs";`).split('\n')[0], line);
});
