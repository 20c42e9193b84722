import { setCustomSoftware, softwareOf } from '../../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { Peers } from '../resources/peers.ts';

/**
 * The definition of a kind: one that ships with us, or one of the owner's as the daemon knows it just now; `undefined` where there is none.
 */
export async function knownSoftware(
  kind: string,
  daemon: Pick<Peers['daemon'], 'customSoftware'>,
): Promise<SoftwareDefinition | undefined> {
  setCustomSoftware((await daemon.customSoftware()).kinds);
  return softwareOf(kind);
}

/** Has this process know the owner's kinds as they change. Resolves when `signal` fires. */
export async function followCustomSoftware(
  daemon: Pick<Peers['daemon'], 'watchCustomSoftware'>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { kinds } of daemon.watchCustomSoftware(undefined, { signal })) setCustomSoftware(kinds);
}
