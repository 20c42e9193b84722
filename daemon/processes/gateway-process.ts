import type { Listeners } from '../../shared/contract/daemon/settings.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { type ManagedProcess, manageProcess } from '../../shared/node/processes/managed-process.ts';
import { type Child, startChild } from '../../shared/node/processes/spawn.ts';
import type { SettingsOffers } from '../settings/settings-offers.ts';
import { recordChild } from './former-children.ts';
import { GATEWAY_FLAGS, PROGRAMS } from './programs.ts';

/** Time for the gateway to answer the requests under way, milliseconds. */
const GATEWAY_GRACE_MS = 5_000;

/** How many gateways may be killed before the first one is ready. Nobody kills more within seconds by accident. */
const FIRST_ATTEMPTS = 5;

export interface GatewayProcess {
  /** Starts the gateway and replaces it whenever it dies. Rejects if the first one cannot listen. Call it once. */
  start(): Promise<void>;
  /** How often it was replaced. */
  restarts(): number;
  /** Ends it for good, if it was started. */
  stop(): Promise<void>;
}

export function createGatewayProcess({
  home,
  offers,
  log,
  ending,
}: {
  home: Home;
  offers: Pick<SettingsOffers, 'started'>;
  log: Logger;
  ending: AbortSignal;
}): GatewayProcess {
  let hasServed = false;
  let starting: Promise<ManagedProcess<Listeners>> | undefined;
  let managed: ManagedProcess<Listeners> | undefined;

  function startOne(): Child<Listeners> {
    const child = startChild<Listeners>({
      name: 'gateway',
      command: {
        entry: PROGRAMS.gateway,
        args: ['--home', home.root, ...(hasServed ? ['--again'] : [])],
        flags: GATEWAY_FLAGS,
      },
      logFile: `${home.logs}/gateway.log`,
    });
    recordChild(home, 'gateway', child.pid).catch((error: unknown) =>
      log.warn({ err: error }, 'the process of the gateway could not be recorded'),
    );
    child.ready.then(
      (listeners) => {
        hasServed = true;
        offers.started(listeners);
      },
      () => undefined, // reported to the caller that awaits the start
    );
    return child;
  }

  return {
    async start() {
      const options = { name: 'gateway', log, ending, firstAttempts: FIRST_ATTEMPTS, start: startOne };
      starting = manageProcess<Listeners>(options);
      managed = await starting;
    },
    restarts: () => managed?.restarts ?? 0,
    async stop() {
      const last = await starting?.catch(() => undefined); // it has not started, so there is nothing to stop
      await last?.stop(GATEWAY_GRACE_MS);
    },
  };
}
