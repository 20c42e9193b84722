import type { DemoOptions } from '../configuration/options.ts';
import type { ServerProperties } from '../configuration/server-properties.ts';
import type { ConsoleLog } from '../console/console-log.ts';

export interface GameServerOptions {
  readonly folder: string;
  readonly options: DemoOptions;
  readonly properties: ServerProperties;
  readonly log: ConsoleLog;
  /** Ends the process. Called when the server stops, crashes or cannot start. */
  readonly exit: (code: number) => void;
  readonly flood: (lines: number) => void;
}
