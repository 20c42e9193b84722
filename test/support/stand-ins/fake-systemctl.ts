import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a `systemctl` in a folder for the PATH that reports these states of the system and user managers. */
export function fakeSystemctl(folder: string, { system, user }: { system: string; user: string }): void {
  const script = `#!/bin/sh\nif [ "$1" = --user ]; then echo ${user}; else echo ${system}; fi\nexit 1\n`;
  writeFileSync(join(folder, 'systemctl'), script, { mode: 0o755 });
}
