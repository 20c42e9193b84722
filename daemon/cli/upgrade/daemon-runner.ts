import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { Home } from '../../../shared/node/home.ts';
import { Failure } from '../failure.ts';
import { ownPath } from '../service/own-path.ts';
import { mustRun, runCommand } from '../service/run-command.ts';
import { isForeign, readService, writeService } from '../service/service-file.ts';
import { type ServicePlan, servicePlan } from '../service/service-plan.ts';
import type { DaemonProgram } from './candidate.ts';

/** How daemons of one data directory are started: as what the one before was. */
export interface DaemonRunner {
  kind: 'service' | 'background';
  /** Where a daemon says why it does not start. */
  words: string;
  /** Starts a daemon; resolves before it is ready, to how to ask whether it has failed already. */
  start(program: DaemonProgram): Promise<() => boolean | Promise<boolean>>;
}

/**
 * Finds out how the running daemon, `pid`, was started. Throws Failure for a service of the machine, which only root may restart.
 */
export async function runnerOf(home: Home, pid: number): Promise<DaemonRunner> {
  const { username: name, uid, homedir: folder } = userInfo();
  const account = { platform: process.platform, name, uid, folder, env: process.env };
  if (process.platform === 'linux') {
    const machine = servicePlan(account, name);
    if ((await serves(machine, home)) !== undefined)
      throw new Failure(
        `Gamekeeper is a service of the machine here (${machine.file}), which this command does not change.\n` +
          'Have it run the other version: sudo npx gamekeeper service install --system --user <name> --home <folder>, from the folder of that version; servers go on.',
      );
  }
  const plan = servicePlan(account);
  const content = await serves(plan, home);
  if (content !== undefined) return serviceRunner(plan, { content, home });
  return backgroundRunner(home, await variablesOf(pid));
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
    words: plan.manager === 'systemd' ? 'journalctl --user --unit gamekeeper' : path.join(home.logs, 'service.log'),
    async start({ node, entry }) {
      await writeService(
        plan,
        plan.content({ node, entry, home: home.root, stopSeconds, path: ownPath(process.env.PATH) }),
      );
      // launchd reads a file only when it is new to it; the daemon itself has ended already.
      if (plan.manager === 'launchd') for (const line of plan.disable) await runCommand(line);
      for (const line of [...plan.enable, ...plan.start]) await mustRun(line);
      // It tries again and again; systemd says meanwhile that the unit is not active.
      return async () => !(await runCommand(plan.isActive)).ok;
    },
  };
}

function backgroundRunner(home: Home, variables: Record<string, string>): DaemonRunner {
  const words = path.join(home.logs, 'upgrade.log');
  return {
    kind: 'background',
    words,
    async start({ node, entry }) {
      const log = openSync(words, 'w', 0o600);
      try {
        const child = spawn(node, [entry, '--home', home.root], {
          stdio: ['ignore', log, log],
          detached: true,
          cwd: home.root,
          env: { ...process.env, ...variables },
        });
        let failed = false;
        for (const event of ['error', 'exit'])
          child.on(event, () => {
            failed = true;
          });
        child.unref();
        return () => failed;
      } finally {
        closeSync(log);
      }
    },
  };
}

/** Ports and the like that the daemon was given by its environment: the next one gets the same. Linux tells; elsewhere it is this shell's own. */
async function variablesOf(pid: number): Promise<Record<string, string>> {
  const block = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const entries = block.split('\0').flatMap((entry): [string, string][] => {
    const [name = '', ...value] = entry.split('=');
    return /^GAMEKEEPER_(?:HOST|PORT|REMOTE_PORT|LOG_LEVEL)$/.test(name) ? [[name, value.join('=')]] : [];
  });
  return Object.fromEntries(entries);
}
