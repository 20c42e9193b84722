import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import type { BenchGamekeeper } from './running-gamekeeper.ts';

/** Makes as many instances whose program does nothing, `idle-1` and so on, and starts them. Resolves when all run. */
export async function startIdleInstances(gamekeeper: BenchGamekeeper, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const port = await freePort();
    await gamekeeper.api('POST', '/instances', {
      name: `Idle ${n}`,
      software: 'custom',
      port,
      launch: { command: ['/bin/sh', '-c', 'echo up; exec sleep 600'] },
      readyPattern: '^up$',
    });
    await gamekeeper.api('POST', `/instances/idle-${n}/start`);
  }
  await until('all run', async () => (await countRunning(gamekeeper)) === count);
}

/** How many instances run, by the API. */
export async function countRunning({ api }: Pick<BenchGamekeeper, 'api'>): Promise<number> {
  const instances = await api<{ status: string }[]>('GET', '/instances');
  return instances.filter(({ status }) => status === 'running').length;
}
