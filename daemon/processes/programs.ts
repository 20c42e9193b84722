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
 * memory under a flood. With `--expose-gc` it gives back what its start has taken (workers/supervisor/own-process/memory-trim.ts).
 */
export const SUPERVISOR_FLAGS: readonly string[] = ['--max-semi-space-size=4', '--expose-gc'];

/**
 * glibc's allocator for a supervisor: one arena instead of one a thread, and free memory goes back to the system. A megabyte for each
 * instance; other allocators do not read these.
 */
export const SUPERVISOR_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** A young generation that does not grow to V8's 32 MiB: a fifth less memory under load, at the same speed (targets.md, H2). */
export const GATEWAY_FLAGS: readonly string[] = ['--max-semi-space-size=8'];
