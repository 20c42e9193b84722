import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { Failure } from '../api/failure.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import type { ServiceDefinition } from '../service/definition.ts';
import { type Installed, installService } from '../service/install-service.ts';
import { journalOf } from '../service/journal.ts';
import { ownPath } from '../service/own-path.ts';
import { mustRun, runCommand } from '../service/run-command.ts';
import { isForeign, readService, removeService } from '../service/service-file.ts';
import { prepareServiceHome } from '../service/service-home.ts';
import { type ServicePlan, servicePlan } from '../service/service-plan.ts';
import { hasGrowingPauses, isLingering, requireSystemd } from '../service/systemd-presence.ts';

/** The daemon's program. This one is `dist/daemon/cli/main.js`. */
const DAEMON = path.resolve(import.meta.dirname, '..', 'main.js');
/** systemd's own default. Less than systemd allows all services of a user together. */
const STOP_SECONDS = 90;
/** The default for all services of a user together: TimeoutStopSec in systemd's user@.service. */
const USER_STOP_SECONDS = 120;

/** A service does not get the variables of the shell that installs it. */
const SHELL_VARIABLES = ['GAMEKEEPER_HOST', 'GAMEKEEPER_PORT', 'GAMEKEEPER_REMOTE_PORT', 'GAMEKEEPER_LOG_LEVEL'];

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
  const service = program.command('service').description('Run Gamekeeper as a service that starts at boot');

  common(service.command('install'))
    .description('Install and start the service: a systemd unit, a launchd agent or a Windows scheduled task')
    .option('--print', 'Only print what would be written and run')
    .addOption(new Option('--dry-run', 'The same as --print').hideHelp())
    .option('--force', 'Replace a file that Gamekeeper did not write, or that is for another data directory')
    .option('--linger', 'Keep it running after you log out, and start it at boot (systemd: loginctl enable-linger)')
    .option(
      '--stop-seconds <n>',
      'Time for the servers to save their worlds when the machine shuts down',
      parseSeconds,
      STOP_SECONDS,
    )
    .action(install);
  common(service.command('uninstall'))
    .description('Stop and remove the service; the data directory stays')
    .option('--force', 'Remove a file that Gamekeeper did not write')
    .action(uninstall);
  common(service.command('status')).description('Show whether the service is installed and running').action(status);
}

function common(command: Command): Command {
  return withCommonOptions(command)
    .option('--system', 'A system service instead of your own (systemd, as root)')
    .option('--user <name>', 'With --system: the user it runs as');
}

async function install(options: InstallOptions, command: Command): Promise<void> {
  const session = sessionOf(command);
  const plan = planFor(options);
  const isExplicitHome = command.opts<{ home?: string }>().home !== undefined || Boolean(process.env.GAMEKEEPER_HOME);
  // Under sudo, the default would be root's.
  if (options.system && !isExplicitHome)
    throw wrongUsage('--system needs --home <folder>, which that user can write to.');
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
  if (options.print || options.dryRun) {
    const commands = [...plan.enable, ...plan.start];
    session.answer({ file: plan.file, content, commands }, () =>
      [`${plan.file}:`, '', content, ...commands.map((line) => `$ ${line.join(' ')}`)].join('\n'),
    );
    return;
  }
  if (plan.manager === 'systemd') await requireSystemd(options.system ? 'system' : 'user');
  if (options.system) await prepareServiceHome(definition.home, systemUserOf(options));

  const isOwnSystemd = plan.manager === 'systemd' && !options.system;
  const isFirstRun = !existsSync(session.home.database);
  const { home } = session;
  const linger = isOwnSystemd && options.linger === true;
  const installed = await installService(plan, { home, content, force: options.force === true, linger });
  const started = 'ready' in installed;
  session.answer({ installed: true, file: plan.file, started }, () => installedText(plan, installed));
  if (isFirstRun && started) session.note(`The password for the first sign-in is in the log: ${journalOf(plan, home)}`);
  if (isOwnSystemd && options.stopSeconds > USER_STOP_SECONDS)
    session.note(
      `systemd ends all services of a user after ${USER_STOP_SECONDS} s, unless TimeoutStopSec= of user@.service is longer.`,
    );
  const ignored = SHELL_VARIABLES.filter((name) => process.env[name]);
  if (ignored.length > 0)
    session.note(`The service does not use ${ignored.join(', ')} from this shell. Set the values in settings.json.`);
  if (isOwnSystemd && (await isLingering()) === false)
    session.note(
      'It starts when you log in, and ends with its servers when you log out. To keep it running: loginctl enable-linger',
    );
}

function installedText(plan: ServicePlan, installed: Installed): string {
  const start = plan.start.map((line) => line.join(' ')).join(' && ');
  if ('waitsFor' in installed)
    return `The service is installed (${plan.file}), but Gamekeeper is already running (pid ${installed.waitsFor.pid}).\nStop that one and start the service. The servers keep running:\n  npx gamekeeper down && ${start}`;
  const { panel } = installed.ready;
  return `The service is installed (${plan.file}) and running${panel === null ? '' : `: ${panel}`}.`;
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
    throw new Failure(`${plan.file} was not written by Gamekeeper.\nCheck it. To remove it, use --force.`);
  if (plan.manager === 'systemd') await requireSystemd(options.system ? 'system' : 'user');
  // launchctl fails for a service that is not running.
  const isActive = (await runCommand(plan.isActive)).ok;
  if (isActive || plan.manager === 'systemd') for (const line of plan.disable) await mustRun(line);
  await removeService(plan.file);
  for (const line of plan.forget) await mustRun(line);
  const message = `Removed the service. The data directory stays. ${plan.afterwards}`;
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
      ? `The service is installed (${plan.file}) and ${active ? 'running' : 'not running'}.`
      : 'The service is not installed. Install it with: npx gamekeeper service install',
  );
}

function planFor({ system = false, user }: ServiceOptions): ServicePlan {
  const { username: name, uid, homedir: folder } = userInfo();
  if (user !== undefined && !system) throw wrongUsage('--user works only with --system.');
  const account = { platform: process.platform, name, uid, folder, env: process.env };
  // Only an installation needs the right user.
  return servicePlan(account, system ? (user ?? process.env.SUDO_USER ?? name) : undefined);
}

function systemUserOf({ user = process.env.SUDO_USER }: ServiceOptions): string {
  if (user === undefined) throw wrongUsage('--system needs --user <name>, the user it runs as.');
  return user;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,4}$/.test(text) || seconds < 5) throw new InvalidArgumentError('Use a number of seconds from 5 to 9999.');
  return seconds;
}

function wrongUsage(message: string): Failure {
  return new Failure(message, { exitCode: EXIT.usage });
}
