import type { Command } from 'commander';
import { statusOf } from '../../../shared/domain/instance/phase.ts';
import type { HealthResponse } from '../../../shared/schema/answers.ts';
import type { SftpState } from '../../../shared/schema/sftp.ts';
import { withDaemon } from '../api/daemon-client.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { formatSeconds } from '../terminal/quantities.ts';

export function addStatus(program: Command): void {
  withCommonOptions(program.command('status'))
    .description('Show whether Gamekeeper is running, its addresses, and how many servers are running')
    .action(async (_options, command: Command) => {
      const session = sessionOf(command);
      const [info, instances, sftp] = await withDaemon(session.home, (daemon) =>
        Promise.all([daemon.call.info(), daemon.call.instances(), daemon.call.sftp()]),
      );
      const running = instances.filter(({ runtime }) => statusOf(runtime.phase) === 'running').length;
      const health: HealthResponse = {
        status: 'ok',
        version: info.version,
        platform: process.platform,
        activeInstances: running,
      };
      session.answer({ ...health, ...info, sftp, instances: instances.length }, () =>
        [
          `Gamekeeper ${info.version} has been running for ${formatSeconds((Date.now() - Date.parse(info.startedAt)) / 1000)} (pid ${info.pid}).`,
          `Panel   ${info.panel ?? 'off (turn it on with: gamekeeper remote on)'}`,
          `Remote  ${info.remote ?? 'off'}`,
          `SFTP    ${shownSftp(sftp)}`,
          `Data    ${info.home}`,
          `Servers ${running} of ${instances.length} running`,
        ].join('\n'),
      );
    });
}

function shownSftp({ enabled, listening }: SftpState): string {
  if (listening) return `${listening.host}, port ${listening.port}, host key ${listening.fingerprint}`;
  return enabled
    ? 'is starting, or cannot listen: see logs/daemon.log'
    : 'off (turn it on in the settings of the panel)';
}
