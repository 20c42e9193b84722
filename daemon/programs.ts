import path from 'node:path';

/** Where the built programs are: this one is `dist/daemon/main.js`, the others are beside it. */
const DIST = path.dirname(import.meta.dirname);

/** Entries of the processes that the daemon starts; others are started by path, never imported. */
export const PROGRAMS = {
  gateway: path.join(DIST, 'gateway', 'main.js'),
  jobs: path.join(DIST, 'workers', 'jobs', 'main.js'),
  supervisor: path.join(DIST, 'workers', 'supervisor', 'main.js'),
} as const;

/**
 * Node flags of a supervisor. It mostly passes on short-lived console lines: a young generation that does not grow costs 30 % less
 * memory under a flood.
 */
export const SUPERVISOR_FLAGS: readonly string[] = ['--max-semi-space-size=4'];
