// @ts-check
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './freshness.mjs';
import { install, isInstalled } from './install.mjs';
import { hasNode, runNode } from './node24.mjs';
import { oneAtATime } from './one-at-a-time.mjs';

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The oldest Node whose npm supports the lock file. It only installs and builds. */
const OLDEST_INSTALLER = [20, 19];

/**
 * Installs and builds what is missing or out of date; otherwise takes a few milliseconds. Prints to stderr, so that a command's stdout has only
 * its answer.
 *
 * @param {{ build: boolean }} options whether the programs in `dist` are needed as well
 * @returns {Promise<void>}
 * @throws {Error} with what to do
 */
export async function prepare({ build }) {
  if (canRun() && !(build && !isBuilt(root))) return;
  checkNodeVersion();
  await oneAtATime(join(root, '.preparing'), {
    onWait: (pid) => say(`Waiting for process ${pid}, which is installing or building Gamekeeper here…`),
    work: async () => {
      if (!canRun()) {
        say('Installing Gamekeeper (once, about a minute)…');
        await install(root);
      }
      if (build && !isBuilt(root)) {
        say('Building Gamekeeper (a few seconds)…');
        const code = await runNode(root, [join(root, 'packaging', 'build', 'build.ts')]);
        if (code !== 0) throw new Error(`The build exited with status ${code}; see its messages above.`);
      }
    },
  });
}

/** npm may be configured not to run install scripts, one of which downloads Node. */
function canRun() {
  return isInstalled(root) && hasNode(root);
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}

function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = OLDEST_INSTALLER;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new Error(
    `This is Node ${process.versions.node}. Gamekeeper needs Node ${OLDEST_INSTALLER.join('.')} or newer to install itself; then it runs on its own Node.`,
  );
}
