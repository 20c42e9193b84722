import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import t, { type Test } from 'tap';
import { runnerOf } from '../../../../daemon/cli/upgrade/find-runner.ts';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

if (process.platform !== 'linux') t.bailout('Only Linux tells the environment of a process.');

/** A process that stands in for a daemon with this environment, and an account without a service. */
async function situation(t: Test, env: Record<string, string>) {
  const folder = temporaryFolder(t);
  const child = spawn('sleep', ['60'], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const { uid } = statSync(folder);
  return {
    daemon: { home: homeAt(folder), pid: child.pid ?? 0, commandLine: '/opt/gk upgrade' },
    account: { platform: 'linux', name: 'gk', uid, folder, env: {}, machineUnits: folder } as const,
  };
}

t.test('a daemon without a service continues in the background', async (t) => {
  const { daemon, account } = await situation(t, {});
  t.match(await runnerOf(daemon, account), { kind: 'background', obstacle: undefined });
});

t.test("another user's daemon is not started as this user", async (t) => {
  const { daemon, account } = await situation(t, {});
  const other = { ...account, uid: account.uid + 1 };
  const obstacle = `${daemon.home.root} belongs to another user. Run: sudo --user='#${account.uid}' /opt/gk upgrade`;
  t.match(await runnerOf(daemon, other), { obstacle });
});

t.test('a service that Gamekeeper did not install is not replaced by a background process', async (t) => {
  const { daemon, account } = await situation(t, { GAMEKEEPER_SERVICE: 'systemd' });
  await t.rejects(runnerOf(daemon, account), { message: /service of systemd that it did not install/ });
});
