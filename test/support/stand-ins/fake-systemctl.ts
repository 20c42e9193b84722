import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts a `systemctl` into a folder for a PATH, whose managers are in these states. */
export function fakeSystemctl(folder: string, { system, user }: { system: string; user: string }): void {
  const script = `#!/bin/sh\nif [ "$1" = --user ]; then echo ${user}; else echo ${system}; fi\nexit 1\n`;
  writeFileSync(join(folder, 'systemctl'), script, { mode: 0o755 });
}
