import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { bundle } from '../../../packaging/build/bundle.ts';
import { loader } from '../../../packaging/build/loader.ts';

const NODE_MODULES = join(import.meta.dirname, '../../../node_modules');

function project(t: Test, files: Record<string, string>): string {
  const root = t.testdir({ 'package.json': '{ "type": "module" }', dist: {}, ...files });
  symlinkSync(NODE_MODULES, join(root, 'node_modules'));
  return root;
}

t.test('a bundle is self-contained, and its loader has the same exports', async (t) => {
  const root = project(t, {
    'entry.ts':
      "import { pino } from 'pino'; export const level: string = pino({ level: 'warn' }).level; export default 'whole';",
    'use.mjs': "import whole, { level } from './dist/main.js'; console.log(whole, level);",
  });
  const file = join(root, 'dist/main.bundle.js');
  const { code, map, exports } = await bundle({ root, source: 'entry.ts', file });
  writeFileSync(file, code);
  const target = join(root, 'dist/main.js');
  writeFileSync(target, loader({ target, cacheFolder: join(root, 'dist/.cache'), exports }));

  t.equal(execFileSync(process.execPath, [join(root, 'use.mjs')], { encoding: 'utf8' }), 'whole warn\n');
  t.ok(JSON.parse(map).sources.includes('../entry.ts'), 'the source map points to the source');
  t.notMatch(code, /[^\x00-\x7f]/, 'it is pure ASCII');
});

t.test("a bundle takes only what it needs of Node's own modules", async (t) => {
  const root = project(t, {
    'entry.ts':
      "import { writeFile } from 'node:fs/promises'; import path from 'path'; import { createServer as serve } from 'node:http'; console.log(writeFile, path.sep, serve);",
  });
  const { code } = await bundle({ root, source: 'entry.ts', file: join(root, 'dist/main.bundle.js') });
  t.notMatch(code, /^import /m);
  t.match(code, /createServer.* = globalThis\.process\.getBuiltinModule\("node:http"\);/);
});

t.test('a character that cannot be escaped fails the build, because it doubles the memory of the source', async (t) => {
  const root = project(t, { 'entry.ts': 'console.log(String.raw`caf\u00e9`);' });
  await t.rejects(bundle({ root, source: 'entry.ts', file: join(root, 'dist/main.bundle.js') }), {
    message: /^a tagged template must be ASCII.*\n.*String\.raw`caf\u00e9`/,
  });
});

t.test('a banned package in the bundle fails the build and shows the chain of imports', async (t) => {
  const root = project(t, {
    'entry.ts': "import { b } from './b.ts'; console.log(b);",
    'b.ts': "import * as z from 'zod'; export const b = z.string().parse('b');",
  });
  const banned = { packages: ['zod'], reason: 'it is heavy' };
  const file = join(root, 'dist/main.bundle.js');
  await t.rejects(bundle({ root, source: 'entry.ts', file, banned }), {
    message: /must not contain zod \(it is heavy\), but:\n {2}entry\.ts\n {2}imports b\.ts\n {2}imports .*zod/,
  });
  await t.resolves(bundle({ root, source: 'entry.ts', file, banned: { packages: ['pino'], reason: '' } }));
});

t.test('types of a banned package are allowed', async (t) => {
  const root = project(t, { 'entry.ts': "import type { ZodType } from 'zod'; export const a: ZodType[] = [];" });
  const banned = { packages: ['zod'], reason: 'it is heavy' };
  await t.resolves(bundle({ root, source: 'entry.ts', file: join(root, 'dist/main.bundle.js'), banned }));
});

t.test('an import that cannot be resolved fails the build', async (t) => {
  const root = project(t, { 'entry.ts': "import { b } from './nowhere.ts'; console.log(b);" });
  await t.rejects(bundle({ root, source: 'entry.ts', file: join(root, 'dist/main.bundle.js') }), /nowhere\.ts/);
});
