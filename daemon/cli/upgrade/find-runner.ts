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
  /** What was typed, in full, for a shell: so that another user can be asked to. */
  commandLine: string;
}

/**
 * Finds out how the running daemon was started, and how to start another in the same way. Throws Failure for a service that is not of our
 * making, or whose manager cannot be asked.
 */
export async function runnerOf(daemon: RunningDaemon, account = ownAccount()): Promise<DaemonRunner> {
  const { home, pid, commandLine } = daemon;
  const environment = await environmentOf(pid);
  if (account.platform === 'linux') {
    const content = await serves(servicePlan(account, account.name), home);
    const user = content === undefined ? undefined : unitUser(content);
    if (content !== undefined && user !== undefined) {
      const runner = serviceRunner(servicePlan(account, user), { content, home });
      const obstacle = `Gamekeeper is a service of the machine here, which root alone can move: sudo ${commandLine}`;
      return account.uid === 0 ? runner : { ...runner, obstacle };
    }
  }
  const plan = servicePlan(account);
  const content = await serves(plan, home);
  if (content !== undefined) return serviceRunner(plan, { content, home });
  if (environment.GAMEKEEPER_SERVICE)
    throw new Failure(
      `Gamekeeper runs as a service of ${environment.GAMEKEEPER_SERVICE} here, which was not installed by it or cannot be asked now.\n` +
        'Sign in as the user that it belongs to, or have the service start the other version; servers go on when it is restarted.',
    );
  const runner = backgroundRunner(home, environment);
  const owner = (await stat(home.root)).uid;
  // What root starts for somebody else would leave files behind that are root's. Windows has no such numbers.
  if (account.platform === 'win32' || owner === account.uid) return runner;
  return { ...runner, obstacle: `${home.root} is of another user: sudo --user='#${owner}' ${commandLine}` };
}

function ownAccount(): Account {
  const { username: name, uid, homedir: folder } = userInfo();
  return { platform: process.platform, name, uid, folder, env: process.env };
}

/** The service's file, if it runs this data directory. */
async function serves(plan: ServicePlan, home: Home): Promise<string | undefined> {
  const content = await readService(plan);
  if (content === undefined || isForeign(content) || !content.includes(plan.word(home.root))) return undefined;
  return (await runCommand(plan.isActive)).ok ? content : undefined;
}

function serviceRunner(plan: ServicePlan, { content, home }: { content: string; home: Home }): DaemonRunner {
  const stopSeconds = Number(/GAMEKEEPER_STOP_SECONDS\D{1,40}(\d+)/.exec(content)?.[1] ?? 90);
  return {
    kind: 'service',
    words: journalOf(plan, home),
    async start({ node, entry }) {
      const searched = unitUser(content) === undefined ? ownPath(process.env.PATH) : undefined; // of the machine: systemd's own
      const growingPauses = plan.manager === 'systemd' && (await hasGrowingPauses());
      const definition = { node, entry, home: home.root, stopSeconds, path: searched, growingPauses };
      await writeService(plan, plan.content(definition));
      // launchd reads a file only when it is new to it; the daemon itself has ended already.
      if (plan.manager === 'launchd') for (const line of plan.disable) await runCommand(line);
      for (const line of [...plan.enable, ...plan.start]) await mustRun(line);
      // It tries again and again; systemd says meanwhile that the unit is not active.
      return async () => !(await runCommand(plan.isActive)).ok;
    },
  };
}

/** Of the daemon. Linux tells its own user, and root; elsewhere there is nothing to read. */
async function environmentOf(pid: number): Promise<Record<string, string>> {
  const block = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const entries = block.split('\0').map((entry): [string, string] => {
    const [name = '', ...value] = entry.split('=');
    return [name, value.join('=')];
  });
  return Object.fromEntries(entries);
}
