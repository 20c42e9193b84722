import type { Logger } from '../../shared/node/logger.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import type { Addresses } from '../gateway.ts';
import { urlOf } from './listener.ts';
import { type Ports, planListeners } from './listener-plan.ts';
import type { Listeners } from './listeners.ts';

const RETRY_MS = 1_000;

type Wanted = [remoteControl: Settings['remoteControl'], ports: Ports];

/**
 * The listeners of a gateway that replaces one that died. If another program has taken a port in between, it retries until the port is free
 * instead of failing: the private socket, and with it the command line, must keep working. A change of the settings in the meantime is
 * tried at once.
 */
export function createRetryingListeners(
  listeners: Listeners,
  { log, retryMs = RETRY_MS }: { log: Logger; retryMs?: number },
) {
  // Two concurrent changes would undo each other.
  const mutex = createMutex();
  let pending: Wanted | undefined;
  let timer: NodeJS.Timeout | undefined;

  const listen = (...wanted: Wanted): Promise<Addresses> =>
    mutex.run(async () => {
      const addresses = await listeners.listen(...wanted);
      pending = undefined; // superseded
      return addresses;
    });

  function retry(wanted: Wanted): void {
    pending = wanted;
    timer = setTimeout(() => {
      void mutex.run(async () => {
        if (pending !== wanted) return;
        try {
          log.info(await listeners.listen(...wanted), 'the gateway listens again');
          pending = undefined;
        } catch {
          retry(wanted); // logged when it began
        }
      });
    }, retryMs);
  }

  return {
    /** Resolves to the addresses, even if they cannot be bound yet. */
    async resume(...wanted: Wanted): Promise<Addresses> {
      try {
        return await listen(...wanted);
      } catch (error) {
        log.error({ err: error }, 'the gateway cannot listen on its ports yet; retrying');
        retry(wanted);
        return plannedAddresses(wanted);
      }
    },
    listen,
    async close(): Promise<void> {
      pending = undefined;
      await mutex.settled();
      clearTimeout(timer);
      await listeners.close();
    },
  };
}

function plannedAddresses([remoteControl, ports]: Wanted): Addresses {
  const plans = planListeners(remoteControl, ports);
  const of = (name: 'panel' | 'remote') => {
    const plan = plans.find((one) => one.name === name);
    return plan ? urlOf(plan) : null;
  };
  return { panel: of('panel'), remote: of('remote') ?? of('panel') };
}
