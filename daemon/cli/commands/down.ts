import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { identifyProcess, isAlive } from '../../../shared/node/process-identity.ts';
import type { ActionResponse } from '../../../shared/schema/answers.ts';
import { withDaemon } from '../daemon-client.ts';
import { sessionOf, withCommonOptions } from '../session.ts';

const LOOK_EVERY_MS = 20;

export function addDown(program: Command): void {
  withCommonOptions(program.command('down'))
    .description('end Gamekeeper; the servers go on running and the next one takes them over')
    .option('--with-servers', 'stop every server first, so that its world is saved')
    .action(async ({ withServers = false }: { withServers?: boolean }, command: Command) => {
      const session = sessionOf(command);
      await withDaemon(session.home, async (daemon) => {
        const identity = await identifyProcess((await daemon.hello()).pid);
        try {
          for await (const line of daemon.call.shutdown(withServers)) session.note(line);
        } catch (error) {
          // The daemon's end takes the connection with it.
          if (!(error instanceof GamekeeperError) || error.code !== 'daemon_unavailable') throw error;
        }
        while (identity && (await isAlive(identity))) await delay(LOOK_EVERY_MS);
      });
      const done: ActionResponse = { success: true, message: 'Gamekeeper has stopped.' };
      session.answer(done, ({ message }) => message);
    });
}
