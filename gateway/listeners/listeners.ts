import type { Home } from '../../shared/node/files/home.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import type { Addresses, Gateway } from '../gateway.ts';
import type { TlsMaterial } from '../http/server.ts';
import { describeCertificate, readCertificate, watchCertificate } from './certificate.ts';
import { type Listener, openListener } from './listener.ts';
import { isSamePlan, type ListenerPlan, type Ports, planListeners } from './listener-plan.ts';

export interface Listeners {
  /**
   * Opens and closes listeners to match the settings. If one fails, nothing changes, and its error is thrown. When this resolves, listeners
   * that are no longer wanted accept no new connections; they finish their responses afterwards.
   */
  listen(remoteControl: Settings['remoteControl'], ports: Ports): Promise<Addresses>;
  close(): Promise<void>;
}

export function createListeners(gateway: Gateway, home: Home): Listeners {
  const { log } = gateway;
  let open: Listener[] = [];
  let stopWatching: () => void = () => undefined;

  async function replace(
    plans: readonly ListenerPlan[],
    options: { tls: TlsMaterial | undefined; mayBeReached: boolean },
  ) {
    const isWanted = ({ plan }: Listener) => plans.some((wanted) => isSamePlan(wanted, plan));
    const leaving = open.filter((listener) => !isWanted(listener));
    const missing = plans.filter((wanted) => !open.some(({ plan }) => isSamePlan(wanted, plan)));
    // A port must be free before it can be bound on another address or for TLS.
    const inTheWay = leaving.filter(({ plan }) => missing.some(({ port }) => port === plan.port));
    const opened: Listener[] = [];
    for (const listener of inTheWay) listener.pause();
    try {
      for (const plan of missing) opened.push(await openListener(gateway, plan, options));
    } catch (error) {
      await Promise.all(opened.map((listener) => listener.retire('the listener could not be opened')));
      await Promise.all(inTheWay.map((listener) => listener.resume()));
      throw error;
    }
    open = [...open.filter(isWanted), ...opened];
    return leaving;
  }

  function followCertificate({ tls: files }: Settings['remoteControl'], material: TlsMaterial | undefined): void {
    stopWatching();
    if (files === undefined || material === undefined) return;
    const renew = (next: TlsMaterial) => {
      for (const listener of open) if (listener.plan.secure) listener.renew(next);
      log.info(describeCertificate(next), 'the certificate is in use');
    };
    renew(material);
    stopWatching = watchCertificate(files, {
      root: home.root,
      onRenewed: renew,
      onProblem: (error) =>
        log.error({ err: error }, 'the renewed certificate cannot be used; the previous one stays in use'),
    });
  }

  return {
    async listen(remoteControl, ports) {
      const plans = planListeners(remoteControl, ports);
      const secure = plans.length > 0 && remoteControl.tls !== undefined;
      const tls = secure ? await readCertificate(remoteControl.tls!, home.root) : undefined;
      const leaving = await replace(plans, { tls, mayBeReached: secure || remoteControl.insecure });
      followCertificate(remoteControl, tls);
      gateway.addresses = addressesOf(open);
      const reason = remoteControl.enabled
        ? 'Remote Control moved to another address'
        : 'Remote Control was switched off';
      for (const listener of leaving)
        listener.retire(reason).catch((error: unknown) => log.error({ err: error }, 'a listener did not close'));
      return gateway.addresses;
    },
    async close() {
      stopWatching();
      await Promise.all(open.map((listener) => listener.retire('Gamekeeper is restarting')));
    },
  };
}

/** If one listener serves everything, both are its URL. */
function addressesOf(open: readonly Listener[]): Addresses {
  const urlOf = (name: ListenerPlan['name']) => open.find(({ plan }) => plan.name === name)?.url ?? null;
  return { panel: urlOf('panel'), remote: urlOf('remote') ?? urlOf('panel') };
}
