import { boundAddress, type PortUse } from '../../../shared/domain/instance/port-use.ts';
import { adminChannelOf } from '../../../shared/domain/software/admin-channel.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { bedrockTransport, gameTransport } from '../../../shared/domain/software/game-transport.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { GameSettings } from '../properties/game-settings.ts';

export interface PortWish extends Omit<PortUse, 'port'> {
  /** `undefined`: any that is free. */
  port: number | undefined;
  /** The property with the number, or the name in the kind. */
  key: string;
  /** True if nothing depends on the number, so that any other port will do. */
  movable: boolean;
}

export interface GamePortsInput {
  config: InstanceConfig;
  definition: SoftwareDefinition;
  properties: Readonly<Record<string, string>>;
  settings: GameSettings;
}

/** The ports on which devices find Bedrock servers in the local network, by transport. */
const DISCOVERY_PORTS = { raknet: [19_132, 19_133], nethernet: [7_551] } as const;

/** Returns every port that a game will listen on, its own port first. */
export function gamePorts(input: GamePortsInput): PortWish[] {
  const known = input.definition.edition === 'bedrock' ? bedrockPorts(input) : javaPorts(input);
  return [...known, ...namedPorts(input)];
}

/** Instances that are older than the port in their kind get any number for it. */
function namedPorts({ config, definition: { ports = [] }, settings: { bindHost } }: GamePortsInput): PortWish[] {
  return ports.map(({ name, transport, offset }) => {
    const port = offset === undefined ? config.ports?.[name] : config.port + offset;
    const at = bindHost === undefined ? {} : { host: bindHost };
    return { purpose: 'named', label: name, transport, port, key: name, movable: port === undefined, ...at };
  });
}

function javaPorts({ config, definition, properties, settings }: GamePortsInput): PortWish[] {
  const at = settings.bindHost === undefined ? {} : { host: settings.bindHost };
  const { transport } = definition.gamePort;
  const wishes: PortWish[] = [
    { purpose: 'game', transport, port: config.port, key: 'server-port', movable: false, ...at },
  ];
  if (isOn(properties['enable-query']))
    wishes.push({
      ...{ purpose: 'query', transport: 'udp', port: portIn(properties['query.port']) ?? 25_565 },
      ...{ key: 'query.port', movable: false, ...at },
    });
  const { rcon } = settings;
  if (rcon && adminChannelOf(definition) !== 'quake3-rcon')
    wishes.push({
      ...{ purpose: 'rcon', transport: 'tcp', port: rcon.port },
      ...{ key: 'rcon.port', movable: rcon.chosen === true || rcon.port === undefined, ...at },
    });
  if (isOn(properties['management-server-enabled']) && !isBelow(config.version, '1.21.9')) {
    const port = portIn(properties['management-server-port']);
    const host = boundAddress(properties['management-server-host'] ?? 'localhost');
    // 0 means any port, which no client could find, so one is chosen. A file that is not ours stays as it is.
    if (port !== undefined || definition.serverProperties)
      wishes.push({
        ...{
          purpose: 'management',
          transport: 'tcp',
          port,
          key: 'management-server-port',
          movable: port === undefined,
        },
        ...(host !== undefined && { host }),
      });
  }
  return wishes;
}

function bedrockPorts({ config, definition, properties, settings: { changes } }: GamePortsInput): PortWish[] {
  const transport = bedrockTransport(config.version, properties);
  const main = { key: 'server-port', movable: false, port: config.port };
  const wishes: PortWish[] = [
    { ...main, purpose: 'game', transport: gameTransport(definition, config.version, properties) },
  ];
  if (transport === 'raknet') {
    const port = portIn(properties['server-portv6']);
    wishes.push({
      ...{ purpose: 'game-ipv6', transport: 'udp', host: '::', key: 'server-portv6' },
      ...{ port: port ?? config.port + 1, movable: port === undefined },
    });
  }
  const visible = changes?.['enable-lan-visibility'] ?? properties['enable-lan-visibility'] ?? 'true';
  if (isOn(visible)) {
    const others = DISCOVERY_PORTS[transport].filter((port) => !wishes.some((wish) => wish.port === port));
    for (const port of others)
      wishes.push({ purpose: 'discovery', transport: 'udp', port, key: 'enable-lan-visibility', movable: false });
  }
  return wishes;
}

function isOn(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}

function portIn(value: string | undefined): number | undefined {
  const port = Number(value);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
}
