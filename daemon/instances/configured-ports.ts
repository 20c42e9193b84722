import { boundAddress, type PortUse } from '../../shared/domain/instance/port-use.ts';
import { adminChannelOf } from '../../shared/domain/software/admin-channel.ts';
import { softwareFor } from '../../shared/domain/software/catalogue.ts';
import { gameTransport } from '../../shared/domain/software/game-transport.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import { otherPorts, readPortProperties } from './server-folder.ts';

/**
 * Returns the ports that an instance is set to use, whether it runs or not. None if its kind does not exist any more. An RCON port that
 * Gamekeeper chose is not among them: it moves out of the way.
 */
export async function configuredPorts(config: InstanceConfig): Promise<PortUse[]> {
  const definition = softwareFor(config);
  if (!definition) return [];
  const { port, ports = {}, rcon, version, directory } = config;
  const properties = await readPortProperties(directory);
  const host = boundAddress(properties['server-ip']);
  const at = host === undefined ? {} : { host };
  const transport = gameTransport(definition, version, properties);
  const named = (definition.ports ?? []).flatMap(({ name, transport: its, offset }): PortUse[] => {
    const number = offset === undefined ? ports[name] : port + offset;
    return number === undefined ? [] : [{ purpose: 'named', label: name, transport: its, port: number, ...at }];
  });
  const hasRconPort = rcon !== undefined && !rcon.chosen && adminChannelOf(definition) !== 'quake3-rcon';
  return [
    { purpose: 'game', transport, port, ...at },
    ...(hasRconPort ? [{ purpose: 'rcon', transport: 'tcp', port: rcon.port, ...at } satisfies PortUse] : []),
    ...named,
    // Over TCP, Bedrock has one port for both families.
    ...otherPorts(properties).filter(({ purpose }) => purpose !== 'game-ipv6' || transport === 'udp'),
  ];
}
