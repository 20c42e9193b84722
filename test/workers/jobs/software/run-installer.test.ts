import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { runInstaller } from '../../../../workers/jobs/software/run-installer.ts';

/** Runs an installer whose "Java" is this shell script, and returns its output. */
async function runScript(t: Test, script: string, record = 'survival.installer') {
  const directory = t.testdir();
  const java = join(directory, 'java');
  writeFileSync(java, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const lines: string[] = [];
  const run = { java, jar: 'installer.jar', args: [], directory, title: 'Forge', record: join(directory, record) };
  const failure = await (async () => {
    for await (const step of runInstaller(run, new AbortController().signal))
      if ('progress' in step) lines.push(step.progress);
  })().catch((error: Error) => error.message);
  return { lines, failure, left: readdirSync(directory) };
}

t.test(
  'an installer’s output is shown without control sequences',
  { skip: process.platform === 'win32' },
  async (t) => {
    const { lines, failure, left } = await runScript(
      t,
      String.raw`printf '\033[2J\033[31mTarget\a: \b/srv\n\033[0m\n'; exit 3`,
    );
    t.same(lines, ['Forge: Target :  /srv']);
    t.match(failure, /exit code 3\. Its last output: Target : {2}\/srv\.$/);
    t.same(left, ['java'], 'the record is removed when it ends');
  },
);

t.test('an installer that cannot be recorded does not start', { skip: process.platform === 'win32' }, async (t) => {
  const { failure, left } = await runScript(t, 'touch begun', 'nowhere/survival.installer');
  t.match(failure, /could not be started/);
  t.same(left, ['java']);
});
