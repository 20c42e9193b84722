import path from 'node:path';
import { systemdWord } from '../../../shared/domain/systemd-word.ts';
import { Failure } from '../api/failure.ts';
import type { ServiceDefinition } from './definition.ts';
import { LAUNCHD_LABEL, launchdAgent, launchdString } from './launchd-agent.ts';
import { scheduledTask, TASK_NAME, taskWord } from './scheduled-task.ts';
import { SYSTEMD_IDENTIFIER, systemdUnit } from './systemd-unit.ts';

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** A service on this platform: its file, and the commands for the service manager. */
export interface ServicePlan {
  manager: 'systemd' | 'launchd' | 'Task Scheduler';
  file: string;
  /** Encoding of the file. */
  encoding: 'utf8' | 'utf16le';
  content(definition: ServiceDefinition): string;
  /** Returns a word of the command line as the file contains it. */
  word(value: string): string;
  /** Registers the file, so that the service starts at the next boot or login. */
  enable: readonly CommandLine[];
  start: readonly CommandLine[];
  /** Stops and unregisters the service. The file stays. */
  disable: readonly CommandLine[];
  /** Run after the file was removed. */
  forget: readonly CommandLine[];
  /** Shows the service's output. Absent: it is in `logs/service.log` of the data directory. */
  journal?: CommandLine;
  /** What happened to Gamekeeper and its servers when the service was removed. */
  afterwards: string;
  /** Succeeds while the service runs, or is registered if the manager cannot tell. */
  isActive: CommandLine;
}

export interface Account {
  platform: NodeJS.Platform;
  name: string;
  uid: number;
  /** The user's home directory. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Where systemd looks for system units, default `/etc/systemd/system`. */
  machineUnits?: string;
}

/** Returns the plan for a user's own service, or for a system service that runs as `systemUser`. Throws a Failure if there is none. */
export function servicePlan(account: Account, systemUser?: string): ServicePlan {
  const { platform, name, uid, folder, env, machineUnits = '/etc/systemd/system' } = account;
  if (systemUser !== undefined && platform !== 'linux') throw new Failure('--system works only with systemd on Linux.');
  if (platform === 'linux') {
    const own = path.posix.join(env.XDG_CONFIG_HOME || path.posix.join(folder, '.config'), 'systemd/user');
    return systemd(systemUser, systemUser === undefined ? own : machineUnits);
  }
  if (platform === 'darwin') return launchd(uid, folder);
  if (platform === 'win32') return taskScheduler(name, folder, env);
  throw new Failure(
    `Gamekeeper does not support a service manager on ${platform}. Configure yours to run: npx gamekeeper up --home <folder>`,
  );
}

function systemd(user: string | undefined, folder: string): ServicePlan {
  const scope = user === undefined ? ['--user'] : [];
  const systemctl = (...args: string[]): CommandLine => ['systemctl', ...scope, ...args];
  return {
    manager: 'systemd',
    file: path.posix.join(folder, SYSTEMD_UNIT),
    encoding: 'utf8',
    content: (definition) => systemdUnit(definition, user),
    word: systemdWord,
    enable: [systemctl('daemon-reload'), systemctl('enable', SYSTEMD_UNIT)],
    start: [systemctl('restart', SYSTEMD_UNIT)],
    disable: [systemctl('disable', '--now', SYSTEMD_UNIT)],
    forget: [systemctl('daemon-reload')],
    journal: ['journalctl', ...scope, `--identifier=${SYSTEMD_IDENTIFIER}`],
    afterwards: 'The servers keep running.',
    isActive: systemctl('is-active', SYSTEMD_UNIT),
  };
}

function launchd(uid: number, folder: string): ServicePlan {
  const domain = `gui/${uid}`;
  const file = path.posix.join(folder, 'Library/LaunchAgents', `${LAUNCHD_LABEL}.plist`);
  return {
    manager: 'launchd',
    file,
    encoding: 'utf8',
    content: launchdAgent,
    word: launchdString,
    enable: [['launchctl', 'enable', `${domain}/${LAUNCHD_LABEL}`]],
    start: [['launchctl', 'bootstrap', domain, file]],
    disable: [['launchctl', 'bootout', `${domain}/${LAUNCHD_LABEL}`]],
    forget: [],
    afterwards: 'The servers were stopped.',
    isActive: ['launchctl', 'print', `${domain}/${LAUNCHD_LABEL}`],
  };
}

function taskScheduler(name: string, folder: string, env: NodeJS.ProcessEnv): ServicePlan {
  const file = path.win32.join(
    env.LOCALAPPDATA ?? path.win32.join(folder, 'AppData', 'Local'),
    'Gamekeeper service.xml',
  );
  const user = env.USERDOMAIN ? `${env.USERDOMAIN}\\${name}` : name;
  return {
    manager: 'Task Scheduler',
    file,
    encoding: 'utf16le',
    content: (definition) => scheduledTask(definition, user),
    word: taskWord,
    enable: [['schtasks', '/Create', '/F', '/TN', TASK_NAME, '/XML', file]],
    start: [['schtasks', '/Run', '/TN', TASK_NAME]],
    disable: [['schtasks', '/Delete', '/F', '/TN', TASK_NAME]],
    forget: [],
    afterwards: 'If Gamekeeper is running, it keeps running. To stop it: npx gamekeeper down',
    isActive: ['schtasks', '/Query', '/TN', TASK_NAME],
  };
}

/** daemon/supervisors/supervisor-scope.ts depends on this name. */
const SYSTEMD_UNIT = 'gamekeeper.service';
