import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns a place inside the folder at which another file system, or another folder, is mounted. Device numbers do not show a bind mount, so
 * the kernel's list is read (proc_pid_mountinfo(5)); on other systems none is found.
 */
export async function mountInside(folder: string): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => path.resolve(folder));
  return (await mountPoints()).find((mount) => mount.startsWith(real + path.sep));
}

export async function mountPoints(): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  return lines.map((line) => unescaped(line.split(' ')[4] ?? ''));
}

/** The kernel writes blanks and the like in octal. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
