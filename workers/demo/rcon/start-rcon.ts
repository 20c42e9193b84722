import type { Game } from '../commands/command.ts';
import { dispatch } from '../commands/dispatcher.ts';
import { RconSource } from '../commands/source.ts';
import type { DemoOptions } from '../configuration/options.ts';
import type { ServerProperties } from '../configuration/server-properties.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { MainThread } from '../game/main-thread.ts';
import { type RconServer, startRconServer } from './rcon-server.ts';

export interface StartRconOptions {
  readonly game: Game;
  readonly mainThread: MainThread;
  readonly options: DemoOptions;
  readonly properties: ServerProperties;
  readonly log: ConsoleLog;
}

/** Starts RCON if `server.properties` enables it. As in vanilla, a failure is logged and the server keeps running. */
export async function startRcon(start: StartRconOptions): Promise<RconServer | undefined> {
  const { game, mainThread, log, options, properties } = start;
  const { enableRcon, rconPort: port, rconPassword: password, serverIp } = properties;
  if (!enableRcon) return undefined;
  if (password === '') {
    log.warn('No rcon password set in server.properties, rcon disabled!');
    return undefined;
  }
  log.info('Starting remote control listener');
  // Unlike vanilla, which listens on all addresses.
  const host = serverIp === '' ? '127.0.0.1' : serverIp;
  try {
    return await startRconServer({
      host,
      port,
      password,
      log,
      slowAnswersMs: options.faults.slowAnswersMs,
      runCommand: async (command) => {
        const source = new RconSource(log);
        await mainThread.run(() => dispatch(command, { game, source }));
        return source.answer;
      },
    });
  } catch (error) {
    log.warn(`Unable to initialise RCON on ${host}:${port}`);
    log.raw(`java.net.BindException: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
