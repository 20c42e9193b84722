import path from 'node:path';

/** The folder of the built programs. This one is `dist/daemon/main.js`. */
const DIST = path.dirname(import.meta.dirname);

/** The programs of the processes that the daemon starts. They are started by path, never imported. */
export const PROGRAMS = {
  gateway: path.join(DIST, 'gateway', 'main.js'),
  jobs: path.join(DIST, 'workers', 'jobs', 'main.js'),
  files: path.join(DIST, 'workers', 'files', 'main.js'),
  sftp: path.join(DIST, 'workers', 'sftp', 'main.js'),
  supervisor: path.join(DIST, 'workers', 'supervisor', 'main.js'),
} as const;

/**
 * Node flags of a supervisor. It mostly passes on short-lived console lines, so a small young generation saves 30 % of its memory under a
 * flood. `--expose-gc` lets it free the memory of its start (workers/supervisor/main.ts); the other two let that collection drop the code that
 * only the start needed, a megabyte.
 */
export const SUPERVISOR_FLAGS: readonly string[] = [
  '--max-semi-space-size=4',
  '--expose-gc',
  '--bytecode-old-age=1',
  '--flush-baseline-code',
];

/**
 * Settings of glibc's allocator for a supervisor: one arena instead of one for each thread, and free memory is returned to the system. Saves
 * a megabyte for each instance.
 */
export const SUPERVISOR_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** Keeps the young generation from growing to V8's 32 MiB: a fifth less memory under load, at the same speed. */
export const GATEWAY_FLAGS: readonly string[] = ['--max-semi-space-size=8'];
