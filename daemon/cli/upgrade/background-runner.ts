import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../../../shared/node/files/home.ts';
import type { DaemonRunner } from './daemon-runner.ts';

/** What the daemon was given by its environment: the next one gets the same. Where that cannot be read, it is this shell's own. */
const KEPT_VARIABLES = /^GAMEKEEPER_(?:HOST|PORT|REMOTE_PORT|LOG_LEVEL)$/;

/** Starts daemons that no terminal and no service has, with the ports and the like of the one whose `environment` this is. */
export function backgroundRunner(home: Home, environment: Record<string, string>): DaemonRunner {
  const variables = Object.fromEntries(Object.entries(environment).filter(([name]) => KEPT_VARIABLES.test(name)));
  const words = path.join(home.logs, 'upgrade.log');
  return {
    kind: 'background',
    words,
    async start({ node, entry }) {
      const log = openSync(words, 'w', 0o600);
      try {
        const child = spawn(node, [entry, '--home', home.root], {
          stdio: ['ignore', log, log],
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
        closeSync(log);
      }
    },
  };
}
