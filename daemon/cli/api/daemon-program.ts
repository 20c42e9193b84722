import path from 'node:path';

/** The daemon's program. This one is `dist/daemon/cli/main.js`. */
export const DAEMON_PROGRAM = path.join(import.meta.dirname, '..', 'main.js');
