import type { Listeners, SettingsDocument, SettingsOffer } from '../../shared/contract/daemon/settings.ts';
import { toCodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import type { Daemon } from './clients.ts';
import { follow } from './follow.ts';

export type { SettingsDocument };

/** The settings, as the daemon offers them. */
export interface OfferedSettings {
  /** Those that hold already. Rejects when the daemon is not there. */
  readonly first: Promise<SettingsOffer>;
  /** Takes up the others from now on, one after the other, and tells the daemon what came of it. */
  take(use: (offer: SettingsOffer) => Promise<Listeners>): void;
  close(): void;
}

/** `onFailure` is told of a failure that is not the fault of whoever asked for the change. */
export function followSettings(daemon: Daemon, onFailure: (error: unknown) => void): OfferedSettings {
  const first = Promise.withResolvers<SettingsOffer>();
  const user = Promise.withResolvers<(offer: SettingsOffer) => Promise<Listeners>>();
  let begun = false;
  let last: Promise<unknown> = user.promise;
  // Whoever starts this process awaits it.
  first.promise.catch(() => undefined);

  async function answer(offer: SettingsOffer): Promise<void> {
    const use = await user.promise;
    const taken = await use(offer).then(
      (listeners) => ({ id: offer.id, listeners }),
      (error: unknown) => {
        const failure = toCodedFailure(error);
        if (failure.code === 'internal_error') onFailure(error);
        return { id: offer.id, failure };
      },
    );
    await daemon.call.settingsTaken(taken);
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
  return { first: first.promise, take: user.resolve, close: stop };
}
