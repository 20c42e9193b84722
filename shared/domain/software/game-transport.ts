import type { SoftwareDefinition, Transport } from './definition.ts';
import { isBelow } from './minecraft-version.ts';

/** The first Bedrock version whose players connect over WebRTC; `server-port` is then the TCP port of the signalling. */
const FIRST_WITH_NETHERNET = '1.26.50';

/** Returns the transport of a server's game port. `properties` are those of its `server.properties`. */
export function gameTransport(
  { edition, gamePort }: Pick<SoftwareDefinition, 'edition' | 'gamePort'>,
  version: string,
  properties: Readonly<Record<string, string>>,
): Transport {
  if (edition !== 'bedrock') return gamePort.transport;
  return bedrockTransport(version, properties) === 'raknet' ? 'udp' : 'tcp';
}

/** Returns how players connect to a Bedrock server. */
export function bedrockTransport(
  version: string,
  properties: Readonly<Record<string, string>>,
): 'raknet' | 'nethernet' {
  const configured = properties.transport?.trim().toLowerCase();
  if (configured === 'raknet' || configured === 'nethernet') return configured;
  return isBelow(version, FIRST_WITH_NETHERNET) ? 'raknet' : 'nethernet';
}
