/**
 * The sockets of a data directory with a long path are in the system's temporary directory. If another user has made that folder first, nothing
 * connects to what listens there, and nothing listens there.
 */
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { homeAt, shortSocketDirectory } from '../../shared/node/files/home.ts';
import { connectDaemon } from '../../shared/node/ipc/connect.ts';
import { requirePrivateFolder } from '../../shared/node/ipc/socket-folder.ts';
import { gamekeeper } from '../daemon/cli/fake-gateway.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';

const NOBODY = 65_534;

/** A data directory whose sockets are served by somebody else, in a folder that `arrange` has changed. */
async function foreign(t: Test, arrange: (folder: string) => void) {
  const home = homeAt(path.join(temporaryFolder(t), 'x'.repeat(80)));
  const folder = shortSocketDirectory(home.root);
  mkdirSync(folder, { mode: 0o700 });
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  let connections = 0;
  for (const socket of [home.gatewaySocket, home.daemonSocket]) {
    const server = createServer((connection) => {
      connections++;
      connection.destroy();
    });
    server.listen(socket);
    await once(server, 'listening');
    t.teardown(() => server.close());
  }
  arrange(folder);
  return { home, folder, connections: () => connections };
}

function behindLink(folder: string): void {
  const elsewhere = `${folder}-elsewhere`;
  mkdirSync(elsewhere, { mode: 0o700 });
  rmSync(folder, { recursive: true });
  symlinkSync(elsewhere, folder);
}

for (const [what, arrange] of [
  ['open to others', (folder: string) => chmodSync(folder, 0o777)],
  ['readable by others', (folder: string) => chmodSync(folder, 0o755)],
  ['a link', behindLink],
  // Only root may give a folder away.
  ...(process.getuid?.() === 0
    ? [["another user's", (folder: string) => chownSync(folder, NOBODY, NOBODY)] as const]
    : []),
] as const)
  t.test(`a folder that is ${what} is not used`, async (t) => {
    const { home, folder, connections } = await foreign(t, arrange);
    t.teardown(() => rmSync(`${folder}-elsewhere`, { recursive: true, force: true }));
    for (const args of [['list'], ['console', 'demo'], ['status'], ['down']]) {
      const { code, stderr } = await gamekeeper(home, args);
      t.equal(code, 1, args.join(' '));
      t.match(stderr, `${folder}, the folder for Gamekeeper's local sockets, belongs to another user`, args.join(' '));
      t.match(stderr, /GAMEKEEPER_HOME/);
      t.notMatch(stderr, /\bat .*\.ts:/, 'no stack');
    }
    const daemon = connectDaemon(home.daemonSocket);
    await t.rejects(daemon.hello(), { code: 'daemon_unavailable', message: /belongs to another user/ });
    daemon.close();
    t.equal(connections(), 0);
  });

t.test('a folder of our own is used, and one that is missing means that nothing runs', async (t) => {
  const { home, folder, connections } = await foreign(t, () => undefined);
  await requirePrivateFolder(home.gatewaySocket);
  await gamekeeper(home, ['list']);
  t.ok(connections() > 0);
  rmSync(folder, { recursive: true });
  const { code, stderr } = await gamekeeper(home, ['list']);
  t.equal(code, 1);
  t.match(stderr, /not running/);
});
