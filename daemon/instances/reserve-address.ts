import { softwareFor } from '../../shared/domain/software/catalogue.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { TunnelSettings } from '../../shared/schema/tunnel.ts';
import type { OwnLink } from '../link/link.ts';

/** The link comes later, or the proxy is back later. Until then, the tunnel's status reports it. */
const PASSING: ReadonlySet<string> = new Set(['not_linked', 'proxy_unavailable']);

/**
 * Has the paired proxy reserve the address of a server, if its tunnel is one through the proxy. Throws `proxy_refused` with the proxy's
 * reason, for example a name that is taken. Resolves also if the proxy cannot be asked now.
 */
export async function reserveAddress(
  config: Pick<InstanceConfig, 'id' | 'software' | 'transport'>,
  tunnel: TunnelSettings | null,
  permitTunnel: OwnLink['permitTunnel'],
): Promise<void> {
  const definition = softwareFor(config);
  if (tunnel?.provider !== 'relay' || !definition?.listPing) return;
  const { hostname } = tunnel;
  try {
    await permitTunnel({ id: config.id, edition: definition.edition, ...(hostname !== undefined && { hostname }) });
  } catch (error) {
    if (!(error instanceof GamekeeperError) || !PASSING.has(error.code)) throw error;
  }
}
