import type { Home } from '../../../shared/node/files/home.ts';
import type { ProcessIdentity } from '../../../shared/node/processes/process-identity.ts';
import type { ReadyRecord } from '../../home/ready-file.ts';
import { Failure } from '../api/failure.ts';
import { lockOwner } from '../api/lock-owner.ts';
import { untilReady } from '../api/until-ready.ts';
import { lastLogLines } from './journal.ts';
import { mustRun, runCommand } from './run-command.ts';
import { isForeign, readService, writeService } from './service-file.ts';
import type { ServicePlan } from './service-plan.ts';

export interface InstallServiceOptions {
  home: Home;
  /** The content of the service's file. */
  content: string;
  /** Replace the file even if Gamekeeper did not write it, or if it is for another data directory. */
  force: boolean;
  /** Let the user's services run without a login. */
  linger: boolean;
}

/** Either the service runs, or another daemon still holds the data directory. */
export type Installed = { ready: ReadyRecord } | { waitsFor: ProcessIdentity };

/** Writes the service's file and starts the service, unless it runs like this already. Throws a Failure if it does not get ready. */
export async function installService(
  plan: ServicePlan,
  { home, content, force, linger }: InstallServiceOptions,
): Promise<Installed> {
  const present = await readService(plan);
  if (!force) requireReplaceable(plan, { present, home });
  const isActive = (await runCommand(plan.isActive)).ok;
  if (present !== content) await writeService(plan, content);
  for (const line of plan.enable) await mustRun(line);
  if (linger) await mustRun(['loginctl', 'enable-linger']);
  const owner = await lockOwner(home);
  // A daemon in a terminal holds the data directory, and the service would fail again and again.
  if (owner && !isActive) return { waitsFor: owner };
  if (!isActive || present !== content) {
    if (isActive && plan.manager !== 'systemd') for (const line of plan.disable) await mustRun(line);
    for (const line of plan.start) await mustRun(line);
  }
  return { ready: await untilRuns(plan, home) };
}

function requireReplaceable(plan: ServicePlan, { present, home }: { present: string | undefined; home: Home }): void {
  if (isForeign(present))
    throw new Failure(
      `${plan.file} already exists and was not written by Gamekeeper.\nCheck it. To replace it, use --force.`,
    );
  if (present !== undefined && !present.includes(plan.word(home.root)))
    throw new Failure(
      `${plan.file} is for another data directory.\nUninstall that service first, or replace it with --force.`,
    );
}

/** Waits until the daemon serves. Throws a Failure with the daemon's own messages if it does not. */
async function untilRuns(plan: ServicePlan, home: Home): Promise<ReadyRecord> {
  const hasFailed = async () => !(await runCommand(plan.isActive)).ok;
  return untilReady(home, hasFailed).catch(async (error: Error) => {
    const lines = await lastLogLines(plan, home);
    throw new Failure(
      [
        `The service is installed (${plan.file}), but is not running: ${error.message}`,
        ...lines.map((line) => `  ${line}`),
        'Solve the problem and install the service again.',
      ].join('\n'),
      { cause: error },
    );
  });
}
