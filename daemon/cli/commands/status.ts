import type { Command } from 'commander';
import { statusOf } from '../../../shared/domain/instance/phase.ts';
import type { HealthResponse } from '../../../shared/schema/answers.ts';
import { withDaemon } from '../api/daemon-client.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { formatSeconds } from '../terminal/quantities.ts';

export function addStatus(program: Command): void {
  withCommonOptions(program.command('status'))
    .description('Show whether Gamekeeper is running, its addresses, and how many servers are running')
    .action(async (_options, command: Command) => {
      const session = sessionOf(command);
      const [info, instances] = await withDaemon(session.home, (daemon) =>
        Promise.all([daemon.call.info(), daemon.call.instances()]),
      );
      const running = instances.filter(({ runtime }) => statusOf(runtime.phase) === 'running').length;
      const health: HealthResponse = {
        status: 'ok',
        version: info.version,
        platform: process.platform,
        activeInstances: running,
      };
      session.answer({ ...health, ...info, instances: instances.length }, () =>
        [
          `Gamekeeper ${info.version} has been running for ${formatSeconds((Date.now() - Date.parse(info.startedAt)) / 1000)} (pid ${info.pid}).`,
          `Panel   ${info.panel ?? 'off (turn it on with: gamekeeper remote on)'}`,
          `Remote  ${info.remote ?? 'off'}`,
          `Data    ${info.home}`,
          `Servers ${running} of ${instances.length} running`,
        ].join('\n'),
      );
    });
}
