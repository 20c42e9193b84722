import { existsSync } from 'node:fs';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import type { OnDemandProcess } from '../processes/on-demand-process.ts';

export interface RemoveSkinsOptions {
  home: Pick<Home, 'skins'>;
  jobs: Pick<OnDemandProcess, 'ensure'>;
  log: Pick<Logger, 'warn'>;
}

/**
 * Makes sure that the skins of players are removed once they are not allowed any more: the jobs process does so when it starts, and when the
 * settings change. Never rejects.
 */
export async function removeSkins(
  { players }: Pick<Settings, 'players'>,
  { home, jobs, log }: RemoveSkinsOptions,
): Promise<void> {
  if (players.skins || !existsSync(home.skins)) return;
  await jobs.ensure().catch((error: unknown) => {
    log.warn({ err: error }, 'the skins of players cannot be removed without the jobs process');
  });
}
