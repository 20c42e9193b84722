// @ts-check
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './freshness.mjs';
import { install, isInstalled } from './install.mjs';
import { hasNode, runNode } from './node24.mjs';
import { oneAtATime } from './one-at-a-time.mjs';

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The oldest Node whose npm understands the lock file and the packages' metadata; it only installs and builds. */
const OLDEST_INSTALLER = [20, 19];

/**
 * Installs and builds what is missing or out of date; takes a few milliseconds when nothing is. What it tells goes to
 * standard error, so that a command's standard output holds only its answer.
 *
 * @param {{ build: boolean }} options whether the programs in `dist` are needed, too
 * @returns {Promise<void>}
 * @throws {Error} with what to do, when it cannot
 */
export async function prepare({ build }) {
  if (canRun() && !(build && !isBuilt(root))) return;
  checkNodeVersion();
  await oneAtATime(join(root, '.preparing'), {
    onWait: (pid) => say(`Process ${pid} is installing or building Gamekeeper here; waiting for it…`),
    work: async () => {
      if (!canRun()) {
        say('Installing Gamekeeper (once, about a minute)…');
        await install(root);
      }
      if (build && !isBuilt(root)) {
        say('Building Gamekeeper (a few seconds)…');
        const code = await runNode(root, [join(root, 'packaging', 'build.ts')]);
        if (code !== 0) throw new Error(`The build ended with status ${code}; its messages are above.`);
      }
    },
  });
}

/** npm may have been told not to run install scripts, one of which fetches Node. */
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
    `This is Node ${process.versions.node}; Gamekeeper installs itself with Node ${OLDEST_INSTALLER.join('.')} or newer (then runs on its own).`,
  );
}
