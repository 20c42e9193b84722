/** The curl examples in README.md and docs/ work as written and return what the text shows. */
import { execFile } from 'node:child_process';
import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import t from 'tap';
import { requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Longer than any example takes. */
const SCRIPT_DEADLINE_MS = 60_000;

/** One code block with commands, and the response in the block below it. */
interface Example {
  command: string;
  /** The response of the last command, if the text shows it. */
  answer?: unknown;
}

const files = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT }).sort()];

for (const file of files) {
  const examples = examplesOf(readFileSync(join(ROOT, file), 'utf8'));
  if (examples.length === 0) continue;
  t.test(`the curl examples of ${file}`, async (t) => {
    if (!requireProgram(t, 'curl', 'curl')) return;
    const gamekeeper = await startGamekeeper(t);
    const folder = temporaryFolder(t);
    const run = await runInOneShell(gamekeeper, folder, examples);
    t.equal(run.code, 0, `every command succeeds: ${run.stderr}`);
    t.equal(run.printed.length, examples.length);
    for (const [index, { command, answer }] of examples.entries()) {
      const printed = run.printed[index] ?? '';
      if (answer === undefined) t.notMatch(printed, /\/docs\/errors#/, command);
      else t.same(described(JSON.parse(printed)), described(answer), command);
    }
  });
}

t.test('examples are found', async (t) => {
  const found = files.flatMap((file) => examplesOf(readFileSync(join(ROOT, file), 'utf8')));
  t.ok(found.length > 8);
  t.ok(found.filter(({ answer }) => answer !== undefined).length > 5);
});

/** Returns the blocks of a document that call `curl`, each with the JSON block directly below it. */
function examplesOf(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```sh\n(.*?)^```$(?:\n+```json\n(.*?)^```$)?/gms)];
  return blocks.flatMap(([, command = '', answer]) => {
    if (!/\bcurl\b|\bapi (?:-|http)/.test(command)) return [];
    return [{ command, ...(answer !== undefined && { answer: JSON.parse(answer) }) }];
  });
}

/** Runs the examples in one shell, because later ones use variables of earlier ones. Stops at the first command that fails. */
function runInOneShell({ home, addresses }: Gamekeeper, folder: string, examples: Example[]) {
  const { panel, remote } = addresses();
  const npx = join(folder, 'npx');
  writeFileSync(npx, `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(ROOT, 'dist/daemon/cli/main.js')}' "$@"\n`);
  chmodSync(npx, 0o755);
  const here = (text: string) =>
    text.replaceAll('http://127.0.0.1:25580', panel).replaceAll('http://127.0.0.1:25585', remote);
  const script = examples
    .map(({ command }, index) => `{\n${here(command)}} > '${join(folder, `${index}`)}'\n`)
    .join('');
  const env = { ...process.env, GAMEKEEPER_HOME: home, PATH: `${folder}${delimiter}${process.env.PATH}` };
  return new Promise<{ code: number; printed: string[]; stderr: string }>((resolve) => {
    const options = { cwd: folder, env, timeout: SCRIPT_DEADLINE_MS };
    execFile('bash', ['-euo', 'pipefail', '-c', script], options, (error, _stdout, stderr) => {
      const outputs = globSync('+([0-9])', { cwd: folder });
      const printed = examples.flatMap((_, index) =>
        outputs.includes(`${index}`) ? [readFileSync(join(folder, `${index}`), 'utf8')] : [],
      );
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, printed, stderr });
    });
  });
}

/** Values that differ in every run. */
const VARYING: [kind: string, is: RegExp][] = [
  ['a backup id', /^\d{8}T\d{6}Z-[0-9a-f]{6}$/],
  ['a hash', /^[0-9a-f]{64}$/],
  ['an address of documentation', /^http:\/\/127\.0\.0\.1:\d+\/docs\//],
  ['a platform', /^(?:linux|darwin|win32)$/],
];

/** Replaces values that vary by their kind, so that the rest can be compared exactly. */
function described(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => described(item, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, described(inner, name)]));
  if (key === 'sizeBytes' || key === 'port') return typeof value;
  return VARYING.find(([, is]) => typeof value === 'string' && is.test(value))?.[0] ?? value;
}
