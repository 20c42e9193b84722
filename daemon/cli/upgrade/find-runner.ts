import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { Home } from '../../../shared/node/files/home.ts';
import { Failure } from '../api/failure.ts';
import { journalOf } from '../service/journal.ts';
import { ownPath } from '../service/own-path.ts';
import { mustRun, runCommand } from '../service/run-command.ts';
import { isForeign, readService, writeService } from '../service/service-file.ts';
import { type Account, type ServicePlan, servicePlan } from '../service/service-plan.ts';
import { hasGrowingPauses } from '../service/systemd-presence.ts';
import { unitUser } from '../service/systemd-unit.ts';
import { backgroundRunner } from './background-runner.ts';
import type { DaemonRunner } from './daemon-runner.ts';

export interface RunningDaemon {
  home: Home;
  pid: number;
  /** This command in full, so that another user can run it. */
  commandLine: string;
}

/**
 * Finds out how the running daemon was started and how to start another one in the same way. Throws a Failure for a service that Gamekeeper did
 * not install, or whose manager cannot be reached.
 */
export async function runnerOf(daemon: RunningDaemon, account = ownAccount()): Promise<DaemonRunner> {
  const { home, pid, commandLine } = daemon;
  const environment = await environmentOf(pid);
  if (account.platform === 'linux') {
    const content = await activeService(servicePlan(account, account.name), home);
    const user = content === undefined ? undefined : unitUser(content);
    if (content !== undefined && user !== undefined) {
      const runner = serviceRunner(servicePlan(account, user), { content, home });
      const obstacle = `Gamekeeper runs as a system service, which only root can upgrade: sudo ${commandLine}`;
      return account.uid === 0 ? runner : { ...runner, obstacle };
    }
  }
  const plan = servicePlan(account);
  const content = await activeService(plan, home);
  if (content !== undefined) return serviceRunner(plan, { content, home });
  if (environment.GAMEKEEPER_SERVICE)
    throw new Failure(
      `Gamekeeper runs as a service of ${environment.GAMEKEEPER_SERVICE} that it did not install, or that cannot be reached now.\n` +
        'Sign in as the user of the service, or change the service to start the other version. Servers keep running when it restarts.',
    );
  const runner = backgroundRunner(home, environment);
  const owner = (await stat(home.root)).uid;
  // A daemon started by root would leave files of root in another user's data directory. Windows has no uids.
  if (account.platform === 'win32' || owner === account.uid) return runner;
  return { ...runner, obstacle: `${home.root} belongs to another user. Run: sudo --user='#${owner}' ${commandLine}` };
}

function ownAccount(): Account {
  const { username: name, uid, homedir: folder } = userInfo();
  return { platform: process.platform, name, uid, folder, env: process.env };
}

/** Returns the content of the service's file, if the service runs this data directory. */
async function activeService(plan: ServicePlan, home: Home): Promise<string | undefined> {
  const content = await readService(plan);
  if (content === undefined || isForeign(content) || !content.includes(plan.word(home.root))) return undefined;
  return (await runCommand(plan.isActive)).ok ? content : undefined;
}

function serviceRunner(plan: ServicePlan, { content, home }: { content: string; home: Home }): DaemonRunner {
  const stopSeconds = Number(/GAMEKEEPER_STOP_SECONDS\D{1,40}(\d+)/.exec(content)?.[1] ?? 90);
  return {
    kind: 'service',
    log: journalOf(plan, home),
    async start({ node, entry }) {
      const searched = unitUser(content) === undefined ? ownPath(process.env.PATH) : undefined; // a system service has systemd's own
      const growingPauses = plan.manager === 'systemd' && (await hasGrowingPauses());
      const definition = { node, entry, home: home.root, stopSeconds, path: searched, growingPauses };
      await writeService(plan, plan.content(definition));
      // launchd reads a file only if it is not loaded. The daemon has ended already.
      if (plan.manager === 'launchd') for (const line of plan.disable) await runCommand(line);
      for (const line of [...plan.enable, ...plan.start]) await mustRun(line);
      // systemd restarts it after a failure; in between, the unit is not active.
      return async () => !(await runCommand(plan.isActive)).ok;
    },
  };
}

/** Returns the daemon's environment, which is readable only on Linux. */
async function environmentOf(pid: number): Promise<Record<string, string>> {
  const block = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const entries = block.split('\0').map((entry): [string, string] => {
    const [name = '', ...value] = entry.split('=');
    return [name, value.join('=')];
  });
  return Object.fromEntries(entries);
}
