import path from 'node:path';
import { Failure } from '../api/failure.ts';
import type { ServiceDefinition } from './definition.ts';
import { LAUNCHD_LABEL, launchdAgent, launchdString } from './launchd-agent.ts';
import { scheduledTask, TASK_NAME, taskWord } from './scheduled-task.ts';
import { SYSTEMD_IDENTIFIER, systemdUnit, systemdWord } from './systemd-unit.ts';

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** What a service is on this platform: a file, and what the service manager is told. */
export interface ServicePlan {
  manager: 'systemd' | 'launchd' | 'Task Scheduler';
  file: string;
  /** Of the file. */
  encoding: 'utf8' | 'utf16le';
  content(definition: ServiceDefinition): string;
  /** How a word of the command line is written in the file. */
  word(value: string): string;
  /** Makes the manager know the file, and begin with it at the next start of the machine, or login. */
  enable: readonly CommandLine[];
  start: readonly CommandLine[];
  /** Ends the service and has the manager forget it; the file is still there. */
  disable: readonly CommandLine[];
  /** Once the file has gone. */
  forget: readonly CommandLine[];
  /** Shows what the service has printed; absent: that is in `logs/service.log` of the data directory. */
  journal?: CommandLine;
  /** What its removal has meant for Gamekeeper and servers that ran. */
  afterwards: string;
  /** Succeeds while the service runs, or where that cannot be asked, while the manager knows it. */
  isActive: CommandLine;
}

export interface Account {
  platform: NodeJS.Platform;
  name: string;
  uid: number;
  /** The user's own folder. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Where systemd looks for units of the machine; absent: `/etc/systemd/system`. */
  machineUnits?: string;
}

/** The plan for a user's own service, or with `systemUser` for one of the machine that runs as that user. Throws Failure where there is none. */
export function servicePlan(account: Account, systemUser?: string): ServicePlan {
  const { platform, name, uid, folder, env, machineUnits = '/etc/systemd/system' } = account;
  if (systemUser !== undefined && platform !== 'linux') throw new Failure('--system is for systemd, on Linux.');
  if (platform === 'linux') {
    const own = path.posix.join(env.XDG_CONFIG_HOME || path.posix.join(folder, '.config'), 'systemd/user');
    return systemd(systemUser, systemUser === undefined ? own : machineUnits);
  }
  if (platform === 'darwin') return launchd(uid, folder);
  if (platform === 'win32') return taskScheduler(name, folder, env);
  throw new Failure(
    `Gamekeeper knows no service manager of ${platform}. Let yours run: npx gamekeeper up --home <folder>`,
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
    afterwards: 'Servers that ran go on running.',
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
    afterwards: 'Servers that ran have been stopped.',
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
    afterwards: 'If Gamekeeper runs, it goes on; to end it: npx gamekeeper down',
    isActive: ['schtasks', '/Query', '/TN', TASK_NAME],
  };
}

/** The unit's name; daemon/supervisors/supervisor-scope.ts orders by it. */
const SYSTEMD_UNIT = 'gamekeeper.service';
