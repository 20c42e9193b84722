import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { findProgram, requireJar } from '../../../../workers/supervisor/process/find-program.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

function folderWith(t: Test, name: string, { content = '#!/bin/sh\n', mode = 0o755 } = {}): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, name), content);
  chmodSync(join(folder, name), mode);
  return folder;
}
const searchPath = '/usr/bin:/bin';

t.test('a name with a slash is relative to the folder, a bare one is on the PATH', async (t) => {
  const cwd = folderWith(t, 'server');
  t.equal(await findProgram('./server', { cwd, searchPath }), join(cwd, 'server'));
  t.equal(await findProgram(join(cwd, 'server'), { cwd: '/', searchPath }), join(cwd, 'server'));
  t.match(await findProgram('sh', { cwd, searchPath }), /\/bin\/sh$/);
});

t.test('a bare name that is not on the PATH is found in the folder', async (t) => {
  const cwd = folderWith(t, 'my-server');
  t.equal(await findProgram('my-server', { cwd, searchPath }), join(cwd, 'my-server'));
});

t.test('the error about a missing program names it and where it was expected', async (t) => {
  const cwd = temporaryFolder(t);
  await t.rejects(findProgram('./server', { cwd, searchPath }), {
    code: 'launch_failed',
    message: `./server does not exist (looked for ${join(cwd, 'server')}).`,
  });
  await t.rejects(findProgram('no-such-program', { cwd, searchPath }), {
    code: 'launch_failed',
    message: "no-such-program is neither on the PATH nor in the server's folder.",
  });
});

t.test('the error about a missing jar says how to get it back', async (t) => {
  const cwd = folderWith(t, 'server.jar');
  const require = (args: string[], isInstalled = false) => requireJar(args, { cwd, isInstalled });
  await require(['-Xmx1G', '-jar', 'server.jar', 'nogui']);
  await require(['-Xmx1G', '-jar', join(cwd, 'server.jar')]);
  await require(['-jar', '-Xmx1G', 'server.jar', 'nogui']);
  await require(['Main', '-jar', 'option-of-the-server.jar']);
  await require(['-jar', '@arguments.txt']);
  await require(['-jar']);
  await require(['@arguments.txt', 'nogui']);
  await t.rejects(require(['-Xmx1G', '-jar', 'gone.jar']), {
    ...{ code: 'launch_failed', message: 'Its gone.jar is missing.' },
    resolution: `Put it back as ${join(cwd, 'gone.jar')}, or correct the launch command of the instance.`,
  });
  await t.rejects(require(['-jar', '-Xmx1G', 'gone.jar', 'nogui']), { message: 'Its gone.jar is missing.' });
  await t.rejects(require(['-jar', 'gone.jar'], true), {
    ...{ message: 'Its gone.jar is missing.', resolution: /installs it again/ },
  });
});

t.test('the error about a file that is not executable explains what to do', async (t) => {
  const cwd = folderWith(t, 'server', { mode: 0o644 });
  await t.rejects(findProgram('./server', { cwd, searchPath }), {
    code: 'launch_failed',
    message: './server is not executable.',
    resolution: `Make it executable: chmod +x ${join(cwd, 'server')}`,
  });
});

t.test('a folder and a script without its interpreter are refused', async (t) => {
  const cwd = folderWith(t, 'server', { content: '#!/no/such/python3 -u\n' });
  mkdirSync(join(cwd, 'folder'));
  await t.rejects(findProgram('./folder', { cwd, searchPath }), { message: './folder is a folder, not a program.' });
  await t.rejects(findProgram('./server', { cwd, searchPath }), {
    message: './server is a script for /no/such/python3, which does not exist.',
  });
});
