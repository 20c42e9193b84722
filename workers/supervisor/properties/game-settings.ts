import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';

/** What the folder's `server.properties` and the instance's settings come to together. */
export interface GameSettings {
  /** Properties to be set before the start; absent for kinds that are not configured through the file. */
  changes: Record<string, string> | undefined;
  /** Address that the game will bind; absent: all of them. */
  bindHost: string | undefined;
  /** Address under which it can be reached from here. */
  reachHost: string;
  /** A `port` of `undefined`: any that is free; `chosen`: by us, so that another one does as well. Absent: there is no RCON. */
  rcon: { port: number | undefined; password: string; chosen?: boolean } | undefined;
}

export interface GameSettingsInput {
  config: InstanceConfig;
  definition: SoftwareDefinition;
  properties: Readonly<Record<string, string>>;
  /** A fresh password, for a server that has none. */
  password: string;
}

const LOOPBACK = '127.0.0.1';
const WILDCARDS = ['0.0.0.0', '::', '*'];

/**
 * Decides how a server is configured. The owner's settings win over the file's, except for a password that is there already, which is
 * never replaced (api.md, create body).
 */
export function gameSettings(input: GameSettingsInput): GameSettings {
  const { config, definition, properties } = input;
  const ip = boundAddress(input);
  const hosts = {
    bindHost: ip === '' || WILDCARDS.includes(ip) ? undefined : ip,
    reachHost: ip === '' || WILDCARDS.includes(ip) ? LOOPBACK : ip,
  };
  if (!definition.serverProperties) return { ...hosts, changes: undefined, rcon: foreignRcon(input) };
  const rcon = definition.rcon ? ownRcon(input) : undefined;
  return {
    ...hosts,
    rcon,
    changes: {
      'server-port': String(config.port),
      ...(config.maxPlayers !== undefined && { 'max-players': String(config.maxPlayers) }),
      ...(rcon && { 'enable-rcon': 'true', 'rcon.password': rcon.password }),
      // It binds the usual ports as well, whatever its own: all but one server on a machine must do without.
      ...(definition.edition === 'bedrock' &&
        config.port !== definition.gamePort.first &&
        properties['enable-lan-visibility'] === undefined && { 'enable-lan-visibility': 'false' }),
    },
  };
}

/** What ships with us binds the loopback interface where the file says nothing at all; elsewhere that means all addresses. */
function boundAddress({ definition, properties }: GameSettingsInput): string {
  const unsaid = definition.launch.type === 'embedded' ? LOOPBACK : '';
  return (properties['server-ip'] ?? unsaid).trim();
}

/** RCON of a program of the owner's: as the instance says, else as its own file does. We write nothing there. */
function foreignRcon({ config, properties }: GameSettingsInput): GameSettings['rcon'] {
  if (config.rcon) return config.rcon;
  const password = properties['rcon.password'] ?? '';
  const port = portIn(properties);
  return isEnabled(properties) && password !== '' && port !== undefined ? { port, password } : undefined;
}

function ownRcon({ config, properties, password }: GameSettingsInput): GameSettings['rcon'] {
  const existing = properties['rcon.password'] ?? '';
  // The port of a file in which RCON is off is only vanilla's default, which every other such file has as well.
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
