import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import type { BenchGamekeeper } from '../running-gamekeeper.ts';

/** Creates and starts instances `idle-1`, `idle-2` and so on, whose program only sleeps. Resolves when all run. */
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
  await until('all instances run', async () => (await countRunning(gamekeeper)) === count);
}

/** Resolves to the number of running instances as the API reports it. */
export async function countRunning({ api }: Pick<BenchGamekeeper, 'api'>): Promise<number> {
  const instances = await api<{ status: string }[]>('GET', '/instances');
  return instances.filter(({ status }) => status === 'running').length;
}
