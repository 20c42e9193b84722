import type { ConsoleLog } from './console-log.ts';

/** The release that the demo server says it is. */
export const VERSION = '1.20.4';
/** The number of that release's network protocol. */
export const PROTOCOL = 765;

/** What vanilla prints when its port is taken. */
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

/** How long a start took, as the ready line names it: seconds with three decimals. */
export function printReady(log: ConsoleLog, tookMs: number): void {
  log.info(`Done (${(tookMs / 1000).toFixed(3)}s)! For help, type "help"`);
}

/** What a server prints that dies of its own error, down to lines without a prefix. */
export function printCrash(log: ConsoleLog): void {
  log.error('Encountered an unexpected exception');
  log.raw('java.lang.IllegalStateException: The demo server was asked to crash');
  log.raw('\tat demo.Server.tick(Server.java:42)');
  log.raw('\tat java.base/java.lang.Thread.run(Thread.java:1583)');
}
