import type { Listeners } from '../../shared/contract/daemon/settings.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { SettingsOffers } from '../settings/settings-offers.ts';
import { recordChild } from './former-children.ts';
import { type ManagedProcess, manageProcess } from './managed-process.ts';
import { GATEWAY_FLAGS, PROGRAMS } from './programs.ts';
import { startChild } from './spawn.ts';

/** Time for the gateway to answer what it is answering. Milliseconds. */
export const GATEWAY_GRACE_MS = 5_000;

/** How many may be killed before the first one is ready: within some seconds nobody does that without meaning it. */
const FIRST_ATTEMPTS = 5;

/**
 * Starts the gateway and keeps it: one that ends is replaced. What it listens on it is offered. Rejects when the first one cannot listen.
 */
export function startGateway({
  home,
  offers,
  log,
  ending,
  entry = PROGRAMS.gateway,
}: {
  home: Home;
  offers: Pick<SettingsOffers, 'started'>;
  log: Logger;
  ending: AbortSignal;
  entry?: string;
}): Promise<ManagedProcess<Listeners>> {
  let hasServed = false;
  return manageProcess<Listeners>({
    name: 'gateway',
    log,
    ending,
    firstAttempts: FIRST_ATTEMPTS,
    start() {
      const child = startChild<Listeners>({
        name: 'gateway',
        entry,
        flags: GATEWAY_FLAGS,
        args: ['--home', home.root, ...(hasServed ? ['--again'] : [])],
        logFile: `${home.logs}/gateway.log`,
      });
      recordChild(home, 'gateway', child.pid).catch((error: unknown) =>
        log.warn({ err: error }, 'which process the gateway is could not be put on record'),
      );
      // Whoever waits for it hears of one that does not get ready.
      child.ready.then(
        (listeners) => {
          hasServed = true;
          offers.started(listeners);
        },
        () => undefined,
      );
      return child;
    },
  });
}
