import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import type { Link } from '../../../shared/schema/link.ts';
import { until } from '../machine/until.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';
import type { OauthWorld } from './oauth-world.ts';

const COMMAND_LINE = path.join(import.meta.dirname, '../../../dist/daemon/cli/main.js');
/** A daemon waits up to half a minute before it connects again. */
export const RECONNECTS_WITHIN_MS = 60_000;

/** Links a daemon as an owner does, with the account's approval. Resolves to its address at the proxy. */
export async function linkToProxy(t: Test, { home }: Gamekeeper, { proxy }: OauthWorld): Promise<string> {
  const child = spawn(process.execPath, [COMMAND_LINE, 'link', proxy.url, '--name', 'Attic', '--json'], {
    env: { ...process.env, GAMEKEEPER_HOME: home },
  });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const lines: Record<string, string>[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const userCode = await until('there is a code', () => lines[0]?.userCode);
  const approved = await proxy.command(['approve', userCode, '--user', 'anna']);
  if (approved.code !== 0) throw new Error(approved.stderr);
  await ended;
  return `${proxy.url}/d/${lines[1]?.daemonId}`;
}

/** Waits until the daemon's link is open. */
export async function untilConnected(gamekeeper: Gamekeeper): Promise<void> {
  const cookie = await gamekeeper.login();
  const state = async () => (await gamekeeper.api<Link>('GET', '/api/link', undefined, { cookie })).body.status.state;
  await until('the link is open', async () => (await state()) === 'connected', { deadlineMs: RECONNECTS_WITHIN_MS });
}
