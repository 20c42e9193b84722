import { setCustomSoftware, softwareOf } from '../../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { Peers } from '../resources/peers.ts';

/** Returns the definition of a kind of software, built in or custom (as the daemon has it now), or `undefined`. */
export async function knownSoftware(
  kind: string,
  daemon: Pick<Peers['daemon'], 'customSoftware'>,
): Promise<SoftwareDefinition | undefined> {
  setCustomSoftware((await daemon.customSoftware()).kinds);
  return softwareOf(kind);
}

/** Keeps the custom kinds of this process up to date until `signal` fires. */
export async function followCustomSoftware(
  daemon: Pick<Peers['daemon'], 'watchCustomSoftware'>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { kinds } of daemon.watchCustomSoftware(undefined, { signal })) setCustomSoftware(kinds);
}
