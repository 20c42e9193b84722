import { existsSync } from 'node:fs';
import { isProvided, SYSTEM_PACKAGES } from '../../test/support/machine/system-packages.ts';
import { runProgram } from '../run-program.mjs';

/**
 * Installs the Debian packages that some tests need, as root on Debian; otherwise prints which are missing. `requireProgram` skips the tests that
 * need them.
 */
export async function provideSystemPackages(): Promise<void> {
  const missing = SYSTEM_PACKAGES.filter((each) => !isProvided(each));
  if (missing.length === 0) return;
  const packages = missing.map(({ debianPackage }) => debianPackage);
  const programs = [...new Set(missing.map(({ program }) => program))].join(', ');

  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    process.stdout.write(`Installing Debian packages that some tests need: ${packages.join(' ')}\n`);
    const failure = await aptInstall(packages);
    if (failure === undefined) return;
    process.stdout.write(`${failure} The tests that need ${programs} are skipped.\n`);
    return;
  }
  process.stdout.write(
    `Not found: ${programs}. The tests that need them are skipped. On Debian: sudo apt-get install ${packages.join(' ')}\n`,
  );
}

/** Returns what failed, if anything did. */
async function aptInstall(packages: string[]): Promise<string | undefined> {
  // Its status does not matter: one of several sources may be unreachable.
  await aptGet(['update', '-qq']);
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  const code = await aptGet(args);
  return code === 0 ? undefined : `"apt-get ${args.join(' ')}" exited with status ${code}.`;
}

function aptGet(args: string[]): Promise<number> {
  return runProgram('apt-get', args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
