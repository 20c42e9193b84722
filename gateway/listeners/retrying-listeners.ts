import type { Logger } from '../../shared/node/logger.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import type { Addresses } from '../gateway.ts';
import { urlOf } from './listener.ts';
import { type Ports, planListeners } from './listener-plan.ts';
import type { Listeners } from './listeners.ts';

/** How soon it is tried again where another program has taken a port, milliseconds. */
const RETRY_MS = 1_000;

type Wanted = [remoteControl: Settings['remoteControl'], ports: Ports];

/**
 * The listeners of a gateway that replaces one that died. Where it cannot listen as that one did, because another program was quicker, it
 * tries again until it can: the private socket, and with it the command line, must not be without Gamekeeper for that. What is asked for
 * meanwhile is tried at once, in its turn.
 */
export function createRetryingListeners(
  listeners: Listeners,
  { log, retryMs = RETRY_MS }: { log: Logger; retryMs?: number },
) {
  // Two changes at once would undo one another.
  const mutex = createMutex();
  /** What is still tried. */
  let pending: Wanted | undefined;
  let timer: NodeJS.Timeout | undefined;

  const listen = (...wanted: Wanted): Promise<Addresses> =>
    mutex.run(async () => {
      const addresses = await listeners.listen(...wanted);
      pending = undefined; // Wherever it listens now: that is what was wanted last.
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
          retry(wanted); // said when it began
        }
      });
    }, retryMs);
  }

  return {
    /** Resolves to where it listens, or will. */
    async resume(...wanted: Wanted): Promise<Addresses> {
      try {
        return await listen(...wanted);
      } catch (error) {
        log.error({ err: error }, 'the gateway cannot listen where the one before it did, and tries again');
        retry(wanted);
        return whereWanted(wanted);
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

function whereWanted([remoteControl, ports]: Wanted): Addresses {
  const plans = planListeners(remoteControl, ports);
  const of = (name: 'panel' | 'remote') => {
    const plan = plans.find((one) => one.name === name);
    return plan ? urlOf(plan) : null;
  };
  return { panel: of('panel'), remote: of('remote') ?? of('panel') };
}
