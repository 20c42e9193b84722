import type { PortUse } from '../../shared/domain/instance/port-use.ts';
import { adminChannelOf } from '../../shared/domain/software/admin-channel.ts';
import { softwareFor } from '../../shared/domain/software/catalogue.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import { readOtherPorts } from './server-folder.ts';

/** Returns the ports that an instance is set to use, whether it runs or not. None if its kind does not exist any more. */
export async function configuredPorts(config: InstanceConfig): Promise<PortUse[]> {
  const definition = softwareFor(config);
  if (!definition) return [];
  const { port, ports = {}, rcon, directory } = config;
  const named = (definition.ports ?? []).flatMap(({ name, transport, offset }): PortUse[] => {
    const number = offset === undefined ? ports[name] : port + offset;
    return number === undefined ? [] : [{ purpose: 'named', label: name, transport, port: number }];
  });
  const hasRconPort = rcon !== undefined && adminChannelOf(definition) !== 'quake3-rcon';
  return [
    { purpose: 'game', transport: definition.gamePort.transport, port },
    ...(hasRconPort ? [{ purpose: 'rcon', transport: 'tcp', port: rcon.port } satisfies PortUse] : []),
    ...named,
    ...(await readOtherPorts(directory)),
  ];
}
