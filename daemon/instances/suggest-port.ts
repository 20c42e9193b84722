import type { PortChange, PortUse } from '../../shared/domain/instance/port-use.ts';
import { softwareFor } from '../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../shared/domain/software/definition.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import { type Creation, reservedPorts } from './create-instance.ts';
import { canBind, firstFreePort, LAST_PORT } from './free-port.ts';
import { rowOf, takenPorts } from './resolve-instance.ts';

/** The ports that are set in `server.properties` only, or there as well. Nobody can change the port of the discovery. */
const PROPERTIES: Partial<Record<PortUse['purpose'], string>> = {
  'game-ipv6': 'server-portv6',
  query: 'query.port',
  rcon: 'rcon.port',
  management: 'management-server-port',
};

/**
 * Returns another number for a port of an instance that is taken: the next one that no server is set to use and no program listens on.
 * `null`: the port has no setting of its own. Throws `port_in_use` if none is left.
 */
export async function suggestPort(
  config: InstanceConfig,
  taken: PortUse,
  creation: Omit<Creation, 'home'>,
): Promise<PortChange | null> {
  const definition = softwareFor(config);
  const place = definition && placeOf(taken, definition);
  if (!place) return null;
  const others = creation.registry.all().map((record) => record.config);
  const { transport } = taken;
  // The game port of Bedrock is TCP or UDP, by its version.
  const gamePort = taken.purpose === 'game' ? { ...definition.gamePort, transport } : definition.gamePort;
  const row = place.setting === 'port' ? rowOf({ ...definition, gamePort }) : [{ offset: 0, transport }];
  const former = place.setting === 'port' ? config.port : taken.port;
  const from = former < LAST_PORT ? former + 1 : definition.gamePort.first;
  const used = takenPorts({ others, reservedPorts: await reservedPorts(creation) });
  return { ...place, port: await firstFreePort(from, { taken: used, canBind, row }) };
}

/** Returns where a port is set; `undefined`: nowhere. */
function placeOf(
  { purpose, label }: PortUse,
  { ports = [], serverProperties }: SoftwareDefinition,
): Omit<PortChange, 'port'> | undefined {
  const named = purpose === 'named' ? ports.find(({ name }) => name === label) : undefined;
  if (named && named.offset === undefined) return { setting: 'ports', key: named.name };
  if (named || purpose === 'game') return { setting: 'port', key: 'port' };
  const key = PROPERTIES[purpose];
  return key === undefined || !serverProperties ? undefined : { setting: 'properties', key };
}
