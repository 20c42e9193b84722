/** A client generated from the served document: openapi-typescript generates its types, openapi-fetch uses them. */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURE = join(import.meta.dirname, '../fixtures/generated-client');
const GENERATOR = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** The strictest settings, which apply to the generated types as well. */
const STRICT = {
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: false,
  allowImportingTsExtensions: true,
  noEmit: true,
};

interface Session {
  makeToken(baseUrl: string, password: string): Promise<string>;
  session(baseUrl: string, token: string): Promise<string[]>;
}

t.test('generated types match the API, and a whole session works with them', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { panel } = gamekeeper.addresses();
  // Below the checkout, so that packages are resolved.
  const folder = t.testdir({ 'tsconfig.json': JSON.stringify({ compilerOptions: STRICT, include: ['*.mts'] }) });
  cpSync(FIXTURE, folder, { recursive: true });
  const generated = await node(
    GENERATOR,
    `${panel}/openapi.json`,
    '-o',
    join(folder, 'api.mts'),
    '--default-non-nullable=false',
  );
  t.equal(generated.code, 0, generated.output);

  await t.test('the compiler finds the mistakes in one file and none in the other', async (t) => {
    const { output } = await node(COMPILER, '-p', folder);
    const lines = readFileSync(join(FIXTURE, 'wrong.mts'), 'utf8').split('\n');
    const wrong = lines.flatMap((line, index) => (line.includes('// mistake: ') ? [index + 1] : []));
    const found = [...output.matchAll(/wrong\.mts\((\d+),/g)].map((match) => Number(match[1]));
    t.ok(wrong.length > 5);
    t.same(
      [...new Set(found)].sort((one, other) => one - other),
      wrong,
      output,
    );
    t.notMatch(output, /session\.mts|api\.mts\(/);
  });

  await t.test('the session works', async (t) => {
    const { makeToken, session }: Session = await import(pathToFileURL(join(folder, 'session.mts')).href);
    const token = await makeToken(panel, gamekeeper.password);
    t.same(await session(panel, token), [
      'health ok, API 1.9.9',
      'created session: stopped',
      '"Session" is starting.',
      'running on port true, in the list true',
      'started again: not now',
      'There are 0 of a max of 20 players online: ',
      'logs: true',
      'backup 64 hex digits, cloud disabled',
      'restored true',
      'deleted 204',
      'gone: no such server',
    ]);
  });
});

function node(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: stdout + stderr });
    });
  });
}
