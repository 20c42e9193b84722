import type { Listeners, SettingsOffer, SettingsTaken } from '../../shared/contract/daemon/settings.ts';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { fromCodedFailure, GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { createBroadcast } from '../../shared/node/primitives/broadcast.ts';
import type { Settings } from '../../shared/schema/settings.ts';

/** The gateway binds and unbinds in milliseconds. Shorter than callers wait for a change. Milliseconds. */
const TAKEN_WITHIN_MS = 8_000;

/** How the daemon and the gateway agree on settings: only settings that the gateway can apply are stored (docs/decisions/0004). */
export interface SettingsOffers extends Pick<DaemonService, 'settingsOffers' | 'settingsTaken'> {
  /**
   * Offers settings to the gateway. Rejects with its reason, or `worker_unavailable` if it does not answer; then it keeps its present
   * settings.
   */
  offer(settings: Settings): Promise<void>;
  /** Returns where the gateway listens. */
  listeners(): Listeners;
  /** Called when a gateway has started, with its listeners. */
  started(listeners: Listeners): void;
}

export function createSettingsOffers(initial: Settings, takenWithinMs = TAKEN_WITHIN_MS): SettingsOffers {
  const offers = createBroadcast<SettingsOffer>();
  const chosen: { panel?: number | undefined; remote?: number | undefined } = {};
  let current = initial;
  let listeners: Listeners = { panel: null, remote: null };
  let lastId = 0;
  let gateways = 0;
  let pending: { id: number; settle: PromiseWithResolvers<Listeners> } | undefined;
  /** The offer that the gateway did not answer in time. */
  let abandoned: number | undefined;

  /** Replaces port 0 by the port chosen earlier, so that a restarted gateway or listener keeps it. */
  function portsFor({ remoteControl: { panelPort, port } }: Settings): SettingsOffer['ports'] {
    return { panel: panelPort || (chosen.panel ?? 0), remote: port || (chosen.remote ?? 0) };
  }

  const offerOf = (settings: Settings): SettingsOffer => ({ id: ++lastId, settings, ports: portsFor(settings) });

  function listening(now: Listeners): void {
    listeners = now;
    const { panelPort, port } = current.remoteControl;
    if (panelPort === 0) chosen.panel ??= portOf(now.panel);
    if (port === 0) chosen.remote ??= portOf(now.remote);
  }

  return {
    listeners: () => listeners,
    started: listening,
    async offer(settings) {
      if (gateways === 0) throw absent('is restarting');
      const offer = offerOf(settings);
      const settle = Promise.withResolvers<Listeners>();
      const timer = setTimeout(() => {
        abandoned = offer.id;
        settle.reject(absent('does not answer'));
      }, takenWithinMs);
      pending = { id: offer.id, settle };
      offers.publish(offer);
      try {
        const now = await settle.promise;
        current = settings;
        listening(now);
      } finally {
        clearTimeout(timer);
        pending = undefined;
      }
    },
    async *settingsOffers(signal) {
      const following = offers.subscribe(signal);
      gateways++;
      try {
        yield offerOf(current);
        yield* following;
      } finally {
        gateways--;
        pending?.settle.reject(absent('has exited'));
      }
    },
    settingsTaken(answer: SettingsTaken) {
      if (answer.id === pending?.id) {
        if ('failure' in answer) pending.settle.reject(fromCodedFailure(answer.failure));
        else pending.settle.resolve(answer.listeners);
      } else if (answer.id === abandoned && 'listeners' in answer) {
        // The caller got an error that says nothing has changed, so the gateway must go back to the current settings.
        offers.publish(offerOf(current));
      }
    },
  };
}

function absent(what: string): GamekeeperError {
  return new GamekeeperError('worker_unavailable', `The gateway ${what}. The settings have not changed.`, {
    retryAfterSeconds: 1,
  });
}

/** The port of a listener's URL. */
function portOf(url: string | null): number | undefined {
  if (url === null) return undefined;
  const { port, protocol } = new URL(url);
  return Number(port || (protocol === 'https:' ? 443 : 80));
}
