import { systemdWord } from '../../../shared/domain/systemd-word.ts';
import { Failure } from '../api/failure.ts';
import { environmentOf, MARK, requirePlainPaths, type ServiceDefinition } from './definition.ts';

/** The name of the daemon's output in the journal, which keeps it apart from systemd's own messages. */
export const SYSTEMD_IDENTIFIER = 'gamekeeper';

/** Restarts at once after a crash, and rarely if the problem lasts for days. Seconds. */
const GROWING_PAUSES = ['RestartSec=1', 'RestartSteps=5', 'RestartMaxDelaySec=15'];
const STEADY_PAUSE_S = 5;

/**
 * Returns a unit for systemd: a system unit that runs as `user`, or one for a user's own manager. Stopping it ends only the daemon, and an OOM
 * kill of a server ends nothing else: `KillMode=process`, `OOMPolicy=continue` (systemd.kill(5), systemd.service(5)). Throws a Failure for a path
 * that systemd does not support.
 */
export function systemdUnit(definition: ServiceDefinition, user?: string): string {
  requirePlainPaths(definition);
  const { node, entry, home, stopSeconds, growingPauses } = definition;
  // systemd's parser (`string_is_safe`) refuses these characters even in quotes.
  if (/["'\\]/.test(node)) throw new Failure(`systemd cannot start ${node}: its path contains a quote or a backslash.`);
  const environment = Object.entries(environmentOf('systemd', definition));
  const lines = [
    `# ${MARK}; "gamekeeper service uninstall" removes it.`,
    '[Unit]',
    'Description=Gamekeeper, which runs game servers',
    ...(user === undefined ? [] : ['Wants=network-online.target', 'After=network-online.target']),
    '# An address may not be available yet, or a port not free. Never give up.',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    ...(user === undefined ? [] : [`User=${user.replaceAll('%', '%%')}`, 'WorkingDirectory=-~']),
    // The colon turns off variable substitution, so a dollar sign stays a dollar sign.
    `ExecStart=${[`:${node}`, entry, '--home', home].map(systemdWord).join(' ')}`,
    ...environment.map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}`),
    `SyslogIdentifier=${SYSTEMD_IDENTIFIER}`,
    'Restart=on-failure',
    ...(growingPauses ? GROWING_PAUSES : [`RestartSec=${STEADY_PAUSE_S}`]),
    '# Wrong usage or settings: a restart does not help.',
    'RestartPreventExitStatus=2',
    '# Only the daemon gets SIGTERM. It stops the servers if the machine shuts down, and otherwise leaves them running.',
    'KillMode=process',
    `TimeoutStopSec=${stopSeconds}`,
    'OOMPolicy=continue',
    'UMask=0077',
    '',
    '[Install]',
    `WantedBy=${user === undefined ? 'default.target' : 'multi-user.target'}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the user of a system unit; `undefined` for a user's own unit. */
export function unitUser(unit: string): string | undefined {
  return /^User=(.+)$/m.exec(unit)?.[1]?.replaceAll('%%', '%');
}
