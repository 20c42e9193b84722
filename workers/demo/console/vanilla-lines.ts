import type { ConsoleLog } from './console-log.ts';

/** The version of Minecraft that the demo server claims to be. */
export const VERSION = '1.20.4';
/** The network protocol of that version. */
export const PROTOCOL = 765;

/** Prints vanilla's text for a port that is in use. */
export function printBindFailure(log: ConsoleLog, error: unknown): void {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  log.warn('**** FAILED TO BIND TO PORT!');
  log.warn(`The exception was: java.net.BindException: ${BIND_FAILURES[code] ?? code}`);
  log.warn('Perhaps a server is already running on that port?');
}

const BIND_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Address already in use',
  EADDRNOTAVAIL: 'Cannot assign requested address',
  EACCES: 'Permission denied',
};

/** Prints the ready line. */
export function printReady(log: ConsoleLog, tookMs: number): void {
  log.info(`Done (${(tookMs / 1000).toFixed(3)}s)! For help, type "help"`);
}

/** Prints an error that the server survives, with the stack trace of its exception. */
export function printException(log: ConsoleLog, message: string): void {
  log.error(message);
  log.raw('java.lang.IllegalStateException: The demo server was asked for an exception');
  for (const frame of FRAMES) log.raw(`\tat ${frame}`);
}

const FRAMES = [
  'demo.plugin.Bridges.onBlockBreak(Bridges.java:58)',
  'demo.plugin.Events.call(Events.java:112)',
  'demo.World.breakBlock(World.java:301)',
  'demo.Player.dig(Player.java:77)',
  'demo.Server.tick(Server.java:42)',
  'java.base/java.lang.Thread.run(Thread.java:1583)',
];

/** Prints the error and stack trace of a crash. */
export function printCrash(log: ConsoleLog): void {
  log.error('Encountered an unexpected exception');
  log.raw('java.lang.IllegalStateException: The demo server was asked to crash');
  log.raw('\tat demo.Server.tick(Server.java:42)');
  log.raw('\tat java.base/java.lang.Thread.run(Thread.java:1583)');
}
