import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../../../shared/node/files/home.ts';
import type { DaemonRunner } from './daemon-runner.ts';

/** Variables that the next daemon gets from the running one's environment, or from this shell if that environment cannot be read. */
const KEPT_VARIABLES = /^GAMEKEEPER_(?:HOST|PORT|REMOTE_PORT|LOG_LEVEL)$/;

/** Starts daemons in the background, with the ports and other settings from the `environment` of the running one. */
export function backgroundRunner(home: Home, environment: Record<string, string>): DaemonRunner {
  const variables = Object.fromEntries(Object.entries(environment).filter(([name]) => KEPT_VARIABLES.test(name)));
  const log = path.join(home.logs, 'upgrade.log');
  return {
    kind: 'background',
    log,
    async start({ node, entry }) {
      const descriptor = openSync(log, 'w', 0o600);
      try {
        const child = spawn(node, [entry, '--home', home.root], {
          stdio: ['ignore', descriptor, descriptor],
          detached: true,
          cwd: home.root,
          env: { ...process.env, ...variables },
        });
        let failed = false;
        for (const event of ['error', 'exit'])
          child.on(event, () => {
            failed = true;
          });
        child.unref();
        return () => failed;
      } finally {
        closeSync(descriptor);
      }
    },
  };
}
