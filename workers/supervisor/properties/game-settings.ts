import { adminChannelOf } from '../../../shared/domain/software/admin-channel.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';

/** How to configure and reach a server, from its `server.properties` and the instance's settings. */
export interface GameSettings {
  /** Properties to set before the start; absent for software that is not configured through the file. */
  changes: Record<string, string> | undefined;
  /** The address that the game process will bind; absent: all addresses. */
  bindHost: string | undefined;
  /** The address at which this machine reaches it. */
  reachHost: string;
  /** Absent: no RCON. A `port` of `undefined`: any free one. `chosen`: Gamekeeper chose the port and may change it. */
  rcon: { port: number | undefined; password: string; chosen?: boolean } | undefined;
}

export interface GameSettingsInput {
  config: InstanceConfig;
  definition: SoftwareDefinition;
  properties: Readonly<Record<string, string>>;
  /** A new password, for a server that has none. */
  password: string;
}

const LOOPBACK = '127.0.0.1';
const WILDCARDS = ['0.0.0.0', '::', '*'];

/** Decides how a server is configured. The instance's settings win over the file, except that an existing password is never replaced. */
export function gameSettings(input: GameSettingsInput): GameSettings {
  const { config, definition, properties } = input;
  const ip = boundAddress(input);
  const hosts = {
    bindHost: ip === '' || WILDCARDS.includes(ip) ? undefined : ip,
    reachHost: ip === '' || WILDCARDS.includes(ip) ? LOOPBACK : ip,
  };
  if (adminChannelOf(definition))
    return { ...hosts, changes: undefined, rcon: managedRcon({ ...input, properties: {} }) };
  if (!definition.serverProperties) return { ...hosts, changes: undefined, rcon: customRcon(input) };
  const rcon = definition.rcon ? managedRcon(input) : undefined;
  return {
    ...hosts,
    rcon,
    changes: {
      'server-port': String(config.port),
      ...(config.maxPlayers !== undefined && { 'max-players': String(config.maxPlayers) }),
      ...(rcon && { 'enable-rcon': 'true', 'rcon.password': rcon.password }),
      // For LAN discovery a Bedrock server also binds the default ports, so only one server per machine can have it.
      ...(definition.edition === 'bedrock' &&
        config.port !== definition.gamePort.first &&
        properties['enable-lan-visibility'] === undefined && { 'enable-lan-visibility': 'false' }),
    },
  };
}

/** Without `server-ip`, the demo server binds the loopback interface and other servers bind all addresses. */
function boundAddress({ definition, properties }: GameSettingsInput): string {
  const unsaid = definition.launch.type === 'embedded' ? LOOPBACK : '';
  return (properties['server-ip'] ?? unsaid).trim();
}

/** The RCON of custom software: from the instance's settings, else from its own file, which is not written. */
function customRcon({ config, properties }: GameSettingsInput): GameSettings['rcon'] {
  if (config.rcon) return config.rcon;
  const password = properties['rcon.password'] ?? '';
  const port = portIn(properties);
  return isEnabled(properties) && password !== '' && port !== undefined ? { port, password } : undefined;
}

function managedRcon({ config, properties, password }: GameSettingsInput): GameSettings['rcon'] {
  const existing = properties['rcon.password'] ?? '';
  // If RCON is off in the file, its port is vanilla's default, which would conflict with other servers.
  const port = config.rcon?.port ?? (isEnabled(properties) ? portIn(properties) : undefined);
  return {
    port,
    password: existing === '' ? (config.rcon?.password ?? password) : existing,
    ...(config.rcon?.chosen && { chosen: true }),
  };
}

function isEnabled(properties: Readonly<Record<string, string>>): boolean {
  return properties['enable-rcon']?.trim().toLowerCase() === 'true';
}

function portIn(properties: Readonly<Record<string, string>>): number | undefined {
  const port = Number(properties['rcon.port']);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
}
