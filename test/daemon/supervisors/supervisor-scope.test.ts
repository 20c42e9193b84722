import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { supervisorScope } from '../../../daemon/supervisors/supervisor-scope.ts';
import { startChild } from '../../../shared/node/processes/spawn.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

/** A systemd-run on the PATH that records its options and then becomes the program, like the real one. */
function fakeSystemdRun(t: Test, refuses = 'nothing') {
  const folder = temporaryFolder(t);
  const calls = path.join(folder, 'calls');
  const script = `#!/bin/sh
case "$*" in *${refuses}*) echo "Unknown assignment" >&2; exit 1;; esac
echo "$*" >> "${calls}"
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
`;
  writeFileSync(path.join(folder, 'systemd-run'), script, { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = `${folder}:${PATH}`;
  t.teardown(() => {
    process.env.PATH = PATH;
  });
  return { folder, calls: () => readFileSync(calls, 'utf8').trim().split('\n') };
}

t.test('under systemd, a program starts in a scope that ends after the daemon, and is the same process', async (t) => {
  const { folder, calls } = fakeSystemdRun(t);
  const through = await supervisorScope({ GAMEKEEPER_SERVICE: 'systemd' });
  t.ok(through.includes('--property=Before=gamekeeper.service'));
  t.ok(through.includes('--property=OOMPolicy=continue'));
  const entry = path.join(folder, 'program.mjs');
  writeFileSync(
    entry,
    'process.once("message", (m) => process.send({ type: "ready", ready: [process.pid, m, process.argv[2]] }));',
  );
  const child = startChild<[number, string, string]>({
    name: 'program',
    command: { entry, args: ['a b'], through },
    logFile: path.join(folder, 'log'),
    process: { detached: true },
    boot: { message: 'hello' },
  });
  t.same(await child.ready, [child.pid, 'hello', 'a b'], 'the channel to the daemon works');
  await child.stop(5_000);
  t.match(calls().at(-1), /--user --scope .* -- .*node .*program\.mjs a b/);
});

t.test('a systemd without OOMPolicy for scopes gets a scope without it', async (t) => {
  fakeSystemdRun(t, 'OOMPolicy');
  const through = await supervisorScope({ GAMEKEEPER_SERVICE: 'systemd' });
  t.equal(through[0], 'systemd-run');
  t.notOk(through.some((word) => word.includes('OOMPolicy')));
});

t.test('without scopes or without systemd, programs are started directly', async (t) => {
  fakeSystemdRun(t, 'scope');
  t.same(await supervisorScope({ GAMEKEEPER_SERVICE: 'systemd' }), []);
  t.same(await supervisorScope({ GAMEKEEPER_SERVICE: 'launchd' }), []);
  t.same(await supervisorScope({}), []);
});
