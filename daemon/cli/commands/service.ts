import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Home } from '../../../shared/node/files/home.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import type { ReadyRecord } from '../../home/ready-file.ts';
import { Failure } from '../api/failure.ts';
import { lockOwner } from '../api/lock-owner.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { untilReady } from '../api/until-ready.ts';
import type { ServiceDefinition } from '../service/definition.ts';
import { journalOf, lastWords } from '../service/journal.ts';
import { ownPath } from '../service/own-path.ts';
import { mustRun, runCommand } from '../service/run-command.ts';
import { isForeign, readService, removeService, writeService } from '../service/service-file.ts';
import { prepareServiceHome } from '../service/service-home.ts';
import { type ServicePlan, servicePlan } from '../service/service-plan.ts';
import { hasGrowingPauses, isLingering, requireSystemd } from '../service/systemd-presence.ts';

/** The daemon's program: this one is `dist/daemon/cli/main.js`. */
const DAEMON = path.resolve(import.meta.dirname, '..', 'main.js');
/** systemd's own default, and less than it gives everything of a user. */
const STOP_SECONDS = 90;
/** What that is by default: TimeoutStopSec in systemd's own user@.service. */
const USER_STOP_SECONDS = 120;

/** A shell's, which would be forgotten with it. */
const OWN_VARIABLES = ['GAMEKEEPER_HOST', 'GAMEKEEPER_PORT', 'GAMEKEEPER_REMOTE_PORT', 'GAMEKEEPER_LOG_LEVEL'];

interface ServiceOptions {
  system?: boolean;
  user?: string;
}

interface InstallOptions extends ServiceOptions {
  print?: boolean;
  dryRun?: boolean;
  force?: boolean;
  linger?: boolean;
  stopSeconds: number;
}

export function addService(program: Command): void {
  const service = program.command('service').description('run Gamekeeper by itself, from the start of the machine on');

  common(service.command('install'))
    .description('install and start the service: a systemd unit, a launchd agent or a scheduled task of Windows')
    .option('--print', 'only print what would be written and run')
    .addOption(new Option('--dry-run', 'the same as --print').hideHelp())
    .option('--force', 'replace a file that is not of ours, or is for another data directory')
    .option('--linger', 'let it outlive your logout and start with the machine (systemd: loginctl enable-linger)')
    .option(
      '--stop-seconds <n>',
      'time for the servers to save when the machine shuts down',
      parseSeconds,
      STOP_SECONDS,
    )
    .action(install);
  common(service.command('uninstall'))
    .description('end the service and remove it; the data directory stays')
    .option('--force', 'remove a file that is not of ours')
    .action(uninstall);
  common(service.command('status')).description('say whether the service is installed and runs').action(status);
}

function common(command: Command): Command {
  return withCommonOptions(command)
    .option('--system', 'a service of the machine instead of your own (systemd, as root)')
    .option('--user <name>', 'with --system: who runs it');
}

async function install(options: InstallOptions, command: Command): Promise<void> {
  const session = sessionOf(command);
  const plan = planFor(options);
  const isExplicitHome = command.opts<{ home?: string }>().home !== undefined || Boolean(process.env.GAMEKEEPER_HOME);
  // Under sudo, the default would be root's.
  if (options.system && !isExplicitHome)
    throw wrongUsage('--system needs --home <folder>, which that user may write to.');
  if (options.system) systemUserOf(options);
  const definition: ServiceDefinition = {
    node: process.execPath,
    entry: DAEMON,
    home: session.home.root,
    stopSeconds: options.stopSeconds,
    path: options.system ? undefined : ownPath(process.env.PATH),
    growingPauses: plan.manager === 'systemd' && (await hasGrowingPauses()),
  };
  const content = plan.content(definition);
  const commands = [...plan.enable, ...plan.start];
  if (options.print || options.dryRun) {
    session.answer({ file: plan.file, content, commands }, () =>
      [`${plan.file}:`, '', content, ...commands.map((line) => `$ ${line.join(' ')}`)].join('\n'),
    );
    return;
  }
  if (plan.manager === 'systemd') await requireSystemd(options.system ? 'system' : 'user');
  if (options.system) await prepareServiceHome(definition.home, systemUserOf(options));
  const present = await readService(plan);
  if (isForeign(present) && !options.force)
    throw new Failure(`${plan.file} is there and was not written by Gamekeeper.\nLook into it; --force replaces it.`);
  if (present !== undefined && !present.includes(plan.word(definition.home)) && !options.force)
    throw new Failure(
      `${plan.file} is for another data directory.\nUninstall that one first, or replace it with --force.`,
    );

  const isActive = (await runCommand(plan.isActive)).ok;
  if (present !== content) await writeService(plan, content);
  for (const line of plan.enable) await mustRun(line);
  if (options.linger && plan.manager === 'systemd' && !options.system) await mustRun(['loginctl', 'enable-linger']);
  const isFirstRun = !existsSync(session.home.database);
  const owner = await lockOwner(session.home);
  // What runs in a terminal keeps the data directory: then the service would fail over and over.
  const waits = owner !== undefined && !isActive;
  if (!waits && (!isActive || present !== content)) {
    if (isActive && plan.manager !== 'systemd') for (const line of plan.disable) await mustRun(line);
    for (const line of plan.start) await mustRun(line);
  }
  const panel = waits ? null : (await untilRuns(plan, session.home)).panel;
  session.answer({ installed: true, file: plan.file, started: !waits }, () =>
    waits
      ? `The service is installed (${plan.file}), but Gamekeeper runs already (pid ${owner.pid}).\nEnd that one, which leaves the servers running, and start the service:\n  npx gamekeeper down && ${plan.start.map((line) => line.join(' ')).join(' && ')}`
      : `The service is installed (${plan.file}) and runs${panel === null ? '' : `: ${panel}`}.`,
  );
  if (isFirstRun && !waits)
    session.note(`What to sign in with at first is what it has printed: ${journalOf(plan, session.home)}`);
  if (plan.manager === 'systemd' && !options.system && options.stopSeconds > USER_STOP_SECONDS)
    session.note(
      `systemd ends everything of a user after ${USER_STOP_SECONDS} s, unless TimeoutStopSec= of user@.service says otherwise.`,
    );
  const unheard = OWN_VARIABLES.filter((name) => process.env[name]);
  if (unheard.length > 0)
    session.note(`The service does not know ${unheard.join(', ')} of this shell: set what it says in settings.json.`);
  if (plan.manager === 'systemd' && !options.system && (await isLingering()) === false)
    session.note(
      'It starts when you log in, and ends with its servers when you log out. To have it run always: loginctl enable-linger',
    );
}

/** Resolves to where the daemon serves. Throws Failure with its own words where it does not get ready. */
async function untilRuns(plan: ServicePlan, home: Home): Promise<ReadyRecord> {
  const hasFailed = async () => !(await runCommand(plan.isActive)).ok;
  return untilReady(home, hasFailed).catch(async (error: Error) => {
    const words = await lastWords(plan, home);
    throw new Failure(
      [
        `The service is installed (${plan.file}), but does not run: ${error.message}`,
        ...words.map((line) => `  ${line}`),
        'Put that right, and install it again.',
      ].join('\n'),
      { cause: error },
    );
  });
}

async function uninstall(
  { force = false, ...options }: ServiceOptions & { force?: boolean },
  command: Command,
): Promise<void> {
  const session = sessionOf(command);
  const plan = planFor(options);
  const present = await readService(plan);
  if (present === undefined) {
    session.answer({ success: true, message: 'The service is not installed.' }, ({ message }) => message);
    return;
  }
  if (isForeign(present) && !force)
    throw new Failure(`${plan.file} was not written by Gamekeeper.\nLook into it; --force removes it.`);
  if (plan.manager === 'systemd') await requireSystemd(options.system ? 'system' : 'user');
  // One that is not running cannot be ended: launchctl says so by failing.
  const isActive = (await runCommand(plan.isActive)).ok;
  if (isActive || plan.manager === 'systemd') for (const line of plan.disable) await mustRun(line);
  await removeService(plan.file);
  for (const line of plan.forget) await mustRun(line);
  const message = `The service is removed. The data directory stays. ${plan.afterwards}`;
  session.answer({ success: true, message }, (answer) => answer.message);
}

async function status(options: ServiceOptions, command: Command): Promise<void> {
  const session = sessionOf(command);
  const plan = planFor(options);
  const content = await readService(plan);
  const installed = content !== undefined && !isForeign(content);
  const active = installed && (await runCommand(plan.isActive)).ok;
  session.answer({ installed, active, manager: plan.manager, file: plan.file }, () =>
    installed
      ? `The service is installed (${plan.file}) and ${active ? 'runs' : 'does not run'}.`
      : 'The service is not installed. Install it with: npx gamekeeper service install',
  );
}

function planFor({ system = false, user }: ServiceOptions): ServicePlan {
  const { username: name, uid, homedir: folder } = userInfo();
  if (user !== undefined && !system) throw wrongUsage('--user goes with --system.');
  const account = { platform: process.platform, name, uid, folder, env: process.env };
  // Who runs it matters to an installation alone.
  return servicePlan(account, system ? (user ?? process.env.SUDO_USER ?? name) : undefined);
}

function systemUserOf({ user = process.env.SUDO_USER }: ServiceOptions): string {
  if (user === undefined) throw wrongUsage('--system needs --user <name>: who runs it.');
  return user;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,4}$/.test(text) || seconds < 5)
    throw new InvalidArgumentError('It must be a number of seconds from 5 to 9999.');
  return seconds;
}

function wrongUsage(message: string): Failure {
  return new Failure(message, { exitCode: EXIT.usage });
}
