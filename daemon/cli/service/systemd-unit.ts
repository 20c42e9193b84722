import { Failure } from '../api/failure.ts';
import { environmentOf, MARK, requirePlainPaths, type ServiceDefinition } from './definition.ts';

/** What the daemon prints has this name in the journal, apart from what systemd says of the unit. */
export const SYSTEMD_IDENTIFIER = 'gamekeeper';

/** A crash is made up for at once; what does not come right by itself soon costs little while it is tried for days. Seconds. */
const GROWING_PAUSES = ['RestartSec=1', 'RestartSteps=5', 'RestartMaxDelaySec=15'];
const STEADY_PAUSE_S = 5;

/**
 * A unit for systemd; with `user` for the machine's own manager, else for that of a user. A stop of the unit ends the daemon alone, and a
 * server that runs out of memory does not end the rest: `KillMode=process`, `OOMPolicy=continue` (systemd.kill(5), systemd.service(5)).
 * Throws Failure for a path that systemd takes in no form.
 */
export function systemdUnit(definition: ServiceDefinition, user?: string): string {
  requirePlainPaths(definition);
  const { node, entry, home, stopSeconds, growingPauses } = definition;
  // `string_is_safe` of systemd's parser: quoted or not.
  if (/["'\\]/.test(node)) throw new Failure(`systemd cannot start ${node}: its path holds a quote or a backslash.`);
  const environment = Object.entries(environmentOf('systemd', definition));
  const lines = [
    `# ${MARK}; "gamekeeper service uninstall" removes it.`,
    '[Unit]',
    'Description=Gamekeeper, which runs game servers',
    ...(user === undefined ? [] : ['Wants=network-online.target', 'After=network-online.target']),
    '# An address may come late, and a port become free: it is never given up.',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    ...(user === undefined ? [] : [`User=${user.replaceAll('%', '%%')}`, 'WorkingDirectory=-~']),
    // The colon: a dollar sign is a dollar sign.
    `ExecStart=${[`:${node}`, entry, '--home', home].map(systemdWord).join(' ')}`,
    ...environment.map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}`),
    `SyslogIdentifier=${SYSTEMD_IDENTIFIER}`,
    'Restart=on-failure',
    ...(growingPauses ? GROWING_PAUSES : [`RestartSec=${STEADY_PAUSE_S}`]),
    '# Wrong settings do not get right by trying again.',
    'RestartPreventExitStatus=2',
    '# The daemon alone is told to end: it stops the servers where the machine shuts down, and else leaves them to the next one.',
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

/** Who runs a unit of ours for the machine; undefined: it is a user's own. */
export function unitUser(unit: string): string | undefined {
  return /^User=(.+)$/m.exec(unit)?.[1]?.replaceAll('%%', '%');
}

/** One word: in double quotes with C escapes, and no specifier in it (systemd.syntax(7), Quoting; systemd.unit(5), Specifiers). */
export function systemdWord(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}
