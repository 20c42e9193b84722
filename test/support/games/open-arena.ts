import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { queryQuake3 } from '../../../shared/node/game-query/query-quake3.ts';
import { freePort } from '../machine/free-port.ts';
import { pathOf } from '../machine/system-packages.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { until } from '../machine/until.ts';

/** A real server of OpenArena, on the loopback interface. */
export interface OpenArena {
  host: string;
  port: number;
  /** Types a command into its console. */
  type(command: string): void;
}

/** Starts Debian's openarena-server until the end of the test, with its files in a temporary folder. Resolves once it answers. */
export async function startOpenArena(t: Test, settings: Record<string, string> = {}): Promise<OpenArena> {
  const [host, port] = ['127.0.0.1', await freePort()];
  const values = {
    ...{ dedicated: '1', net_ip: host, net_port: String(port), net_enabled: '1', fs_homepath: temporaryFolder(t) },
    ...settings,
  };
  const args = Object.entries(values).flatMap(([name, value]) => ['+set', name, value]);
  const server = spawn(pathOf('openarena-server')!, [...args, '+map', 'oa_dm1'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  t.teardown(async () => {
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  });
  await until('OpenArena answers', () => queryQuake3({ host, port, timeoutMs: 500 }).then(Boolean, () => false));
  return { host, port, type: (command) => void server.stdin.write(`${command}\n`) };
}
