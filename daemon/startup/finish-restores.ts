import { existsSync } from 'node:fs';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { Registry } from '../instances/registry.ts';
import type { JobsProcess } from '../processes/jobs-process.ts';

/**
 * Where a crash has cut a restore off, the folder is neither the old nor the new one and its server will not start: jobs, which
 * finish such restores before they serve, are needed at once. Never throws.
 */
export async function finishCutOffRestores({
  home,
  registry,
  jobs,
  log,
}: {
  home: Home;
  registry: Registry;
  jobs: JobsProcess;
  log: Logger;
}): Promise<void> {
  const cutOff = registry.all().filter(({ config }) => existsSync(home.restoreMark(config.id)));
  if (cutOff.length === 0) return;
  await jobs.ensure().catch((error: unknown) => {
    log.error({ err: error }, 'restores that were cut off cannot be finished without the jobs process');
  });
}
