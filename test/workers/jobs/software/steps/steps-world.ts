import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Test } from 'tap';
import type { InstallStep, SoftwareDefinition } from '../../../../../shared/domain/software/definition.ts';
import { extendDefinition } from '../../../../../shared/domain/software/extend-definition.ts';
import { checkSoftware } from '../../../../../shared/schema/software.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

/** Serves these files until the end of the test, and records what was asked for. A test may change the files. */
export async function serveFiles(t: Test, files: Record<string, Buffer | RequestListener>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const found = files[request.url!];
    if (typeof found === 'function') found(request, response);
    else response.writeHead(found ? 200 : 404).end(found);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, files };
}

/** A kind that starts `bin/game` after these steps. */
export function kindOf(steps: readonly InstallStep[], more: Partial<SoftwareDefinition> = {}): SoftwareDefinition {
  const file = {
    kind: 'game',
    title: 'Game',
    defaultVersion: 'stable',
    install: { steps },
    launch: { type: 'installed', program: { linux: 'bin/game' }, args: [], env: { HOME: '{directory}' } },
    gamePort: { first: 27_015, transport: 'udp' },
    ...more,
  } as const;
  const checked = checkSoftware(extendDefinition(file, [])!);
  if ('problem' in checked) throw new Error(checked.problem);
  return checked.software;
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Puts a program on the PATH, before all others, until the end of the test. Returns its folder. */
function putOnPath(t: Test, name: string, script: string): string {
  const folder = temporaryFolder(t);
  const before = process.env.PATH;
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}`);
  chmodSync(path.join(folder, name), 0o755);
  process.env.PATH = `${folder}${path.delimiter}${before}`;
  t.teardown(() => {
    process.env.PATH = before;
  });
  return folder;
}

/**
 * A stand-in for SteamCMD that installs what is in its folder `apps/<number>`, and prints what Valve's program prints
 * (developer.valvesoftware.com/wiki/SteamCMD). It records its arguments in `called`.
 */
export function standInSteamCmd(t: Test, apps: Readonly<Record<number, Readonly<Record<string, string>>>>): string {
  const folder = putOnPath(
    t,
    'steamcmd',
    `here=$(dirname "$0")
echo "$HOME|$*" >> "$here/called"
echo "Redirecting stderr to '$HOME/Steam/logs/stderr.txt'"
echo "Loading Steam API...OK"
if [ "$1" != +force_install_dir ] || [ "$3 $4" != '+login anonymous' ] || [ "$5" != +app_update ]; then echo 'FAILED login'; exit 5; fi
echo "Connecting anonymously to Steam Public...OK"
if [ -f "$here/says" ]; then cat "$here/says"; rm "$here/says"; echo; exit 8; fi
if [ -f "$here/waits" ]; then sleep 600 & echo $! > "$here/child"; wait; fi
if [ ! -d "$here/apps/$6" ]; then echo "ERROR! Failed to install app '$6' (No subscription)"; exit 8; fi
mkdir -p "$2/steamapps"
for percent in 1 2 55 100; do echo " Update state (0x61) downloading, progress: $percent.00 ($percent / 100)"; done
cp -R "$here/apps/$6/." "$2/"
echo "Success! App '$6' fully installed."
`,
  );
  for (const [app, files] of Object.entries(apps)) put(path.join(folder, 'apps', app), files);
  return folder;
}

/** Writes files; scripts are executable. */
export function put(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (content.startsWith('#!')) chmodSync(file, 0o755);
  }
}
