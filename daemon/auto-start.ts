import { isLive } from '../shared/domain/phase.ts';
import type { Logger } from '../shared/node/logger.ts';
import type { Registry } from './registry.ts';
import type { Supervisors } from './supervisors.ts';

/** Starts the servers whose owners want them to start with Gamekeeper, unless they run already. Never throws. */
export async function autoStart({
  registry,
  supervisors,
  log,
}: {
  registry: Registry;
  supervisors: Supervisors;
  log: Logger;
}): Promise<void> {
  const wanted = registry.all().filter(({ config, runtime }) => config.autoStart && !isLive(runtime.phase));
  await Promise.all(
    wanted.map(async ({ config }) => {
      try {
        const { client } = await supervisors.ensure(config.id);
        await client.call.start();
      } catch (error) {
        // The instance itself shows that it is not running; this says why to whoever looks.
        log.error({ err: error, instance: config.id }, 'a server could not be started with Gamekeeper');
      }
    }),
  );
}
