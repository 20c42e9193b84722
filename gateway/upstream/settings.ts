import type { Listeners, SettingsDocument, SettingsOffer } from '../../shared/contract/daemon/settings.ts';
import { toCodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import type { Daemon } from './clients.ts';
import { follow } from './follow.ts';

export type { SettingsDocument };

/** The daemon offers settings; the gateway applies them or reports why it cannot (docs/decisions/0004). */
export interface OfferedSettings {
  /** The settings in force. Rejects if the daemon is away. */
  readonly first: Promise<SettingsOffer>;
  /** Applies later offers one after the other, and reports each result to the daemon. */
  apply(use: (offer: SettingsOffer) => Promise<Listeners>): void;
  close(): void;
}

/** `onFailure` is called for failures that the requested settings did not cause. */
export function followSettings(daemon: Daemon, onFailure: (error: unknown) => void): OfferedSettings {
  const first = Promise.withResolvers<SettingsOffer>();
  const user = Promise.withResolvers<(offer: SettingsOffer) => Promise<Listeners>>();
  let begun = false;
  let last: Promise<unknown> = user.promise;
  // The caller awaits it; this only prevents an unhandled rejection before that.
  first.promise.catch(() => undefined);

  async function answer(offer: SettingsOffer): Promise<void> {
    const use = await user.promise;
    const result = await use(offer).then(
      (listeners) => ({ id: offer.id, listeners }),
      (error: unknown) => {
        const failure = toCodedFailure(error);
        if (failure.code === 'internal_error') onFailure(error);
        return { id: offer.id, failure };
      },
    );
    await daemon.call.settingsTaken(result);
  }

  const stop = follow({
    subscribe: (signal) => daemon.call.settingsOffers(undefined, { signal }),
    onItem(offer) {
      if (begun) last = last.then(() => answer(offer)).catch(onFailure);
      else first.resolve(offer);
      begun = true;
    },
    onLost(error) {
      first.reject(error);
      onFailure(error);
    },
  });
  return { first: first.promise, apply: user.resolve, close: stop };
}
