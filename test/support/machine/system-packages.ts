import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Test } from 'tap';

/** A program, or a `file` that it needs and that its own package only recommends. */
interface SystemPackage {
  readonly program: string;
  readonly file?: string;
  readonly debianPackage: string;
}

/** Third-party programs that tests compare with, and their Debian packages. */
export const SYSTEM_PACKAGES: readonly SystemPackage[] = [
  { program: 'unzip', debianPackage: 'unzip' },
  { program: 'zip', debianPackage: 'zip' },
  { program: 'sha256sum', debianPackage: 'coreutils' },
  { program: 'rconclt', debianPackage: 'rcon' },
  { program: 'java', debianPackage: 'openjdk-17-jre-headless' },
  { program: 'sftp', debianPackage: 'openssh-client' },
  { program: 'sshd', debianPackage: 'openssh-server' },
  { program: 'rclone', debianPackage: 'rclone' },
  { program: 'age', debianPackage: 'age' },
  { program: 'promtool', debianPackage: 'prometheus' },
  { program: 'prometheus', debianPackage: 'prometheus' },
  { program: 'curl', debianPackage: 'curl' },
  { program: 'systemd-analyze', debianPackage: 'systemd' },
  { program: 'chromium', debianPackage: 'chromium' },
  { program: 'faketime', debianPackage: 'faketime' },
  { program: 'podman', debianPackage: 'podman' },
  { program: 'podman-compose', debianPackage: 'podman-compose' },
  { program: 'runc', debianPackage: 'runc' },
  { program: 'caddy', debianPackage: 'caddy' },
  { program: 'pg_ctlcluster', debianPackage: 'postgresql' },
  { program: 'haproxy', debianPackage: 'haproxy' },
  { program: 'miniupnpd', debianPackage: 'miniupnpd-nftables' },
  { program: 'nft', debianPackage: 'nftables' },
  { program: 'ip', debianPackage: 'iproute2' },
  { program: 'mkfs.ext4', debianPackage: 'e2fsprogs' },
  { program: 'minetestserver', debianPackage: 'minetest-server' },
  { program: 'openttd', debianPackage: 'openttd' },
  {
    program: 'openttd',
    file: '/usr/share/games/openttd/baseset/opengfx/ogfx1_base.grf',
    debianPackage: 'openttd-opengfx',
  },
  { program: 'openarena-server', debianPackage: 'openarena-server' },
  { program: 'teeworlds-server', debianPackage: 'teeworlds-server' },
  { program: 'freeciv-server', debianPackage: 'freeciv-server' },
];

/** Where Debian installs games; not on root's PATH. */
const GAMES_FOLDER = '/usr/games';

/** A test, or a measurement. */
export type Requirer = Pick<Test, 'name' | 'fail' | 'comment'>;

/** Returns whether a package is installed, or something that does instead of it. */
export function isProvided({ program, file }: SystemPackage): boolean {
  return file === undefined ? isOnPath(program) : existsSync(file);
}

/** Returns whether a program is on the PATH or among the games. */
export function isOnPath(program: string): boolean {
  return pathOf(program) !== undefined;
}

/** Returns the path of a program on the PATH or among the games. */
export function pathOf(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), GAMES_FOLDER];
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * For the first line of a test that needs a program: `if (!requireProgram(t, 'unzip', 'unzip')) return;`. Without the program, the test is
 * skipped with a comment that names it. With `CI=true` it fails instead, so that a missing program does not go unnoticed.
 */
export function requireProgram(t: Requirer, program: string, debianPackage: string): boolean {
  if (isOnPath(program)) return true;
  leaveOut(t, `the program ${program} (Debian: apt-get install ${debianPackage})`);
  return false;
}

/** The same for a test that needs root, for example to mount a small file system. */
export function requireRoot(t: Requirer): boolean {
  if (process.getuid?.() === 0) return true;
  leaveOut(t, "root's rights");
  return false;
}

function leaveOut(t: Requirer, needs: string): void {
  const message = `left out: "${t.name}" needs ${needs}`;
  if (process.env.CI === 'true') t.fail(message);
  else t.comment(message);
}
