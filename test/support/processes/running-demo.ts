import type { Test } from 'tap';
import { freePort } from '../machine/free-port.ts';
import { until } from '../machine/until.ts';
import { type Gamekeeper, startGamekeeper } from './gamekeeper.ts';

/** Starts Gamekeeper with a running server `demo`. Waits until all requests of the panel succeed, because a browser logs each failed one as an error. */
export async function startWithDemo(t: Test): Promise<Gamekeeper> {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await until('the jobs can be listed', async () => (await gamekeeper.api('GET', '/jobs')).status === 200);
  return gamekeeper;
}
