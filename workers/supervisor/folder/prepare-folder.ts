import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import type { AdoptedSettings } from '../../../shared/contract/daemon/instances.ts';
import type { PortConflict, PortUse } from '../../../shared/domain/port-use.ts';
import { isSecretProperty } from '../../../shared/domain/properties/known-properties.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { rulesOf } from '../game/game-rules.ts';
import { gamePorts } from '../ports/game-ports.ts';
import { findFreePort, requireFreePort } from '../ports/port-probe.ts';
import { settlePorts } from '../ports/settle-ports.ts';
import { gameSettings } from '../properties/game-settings.ts';
import type { InstanceProperties } from '../properties/instance-properties.ts';
import { requireEula } from './eula.ts';

/** 144 bits: nobody guesses it, and it needs no escapes in any file. */
const PASSWORD_BYTES = 18;

/** What is known about a folder that is ready for a start. */
export interface PreparedFolder {
  /** Where the game's own port can be reached from here. */
  host: string;
  port: number;
  /** How to reach RCON; absent where there is none. */
  rcon: { host: string; port: number; password: string } | undefined;
  /** Passwords and the like from the folder's settings, for the redaction. */
  secrets: string[];
}

export interface FolderPreparation {
  config: () => InstanceConfig;
  properties: Pick<InstanceProperties, 'settle' | 'prepare'>;
  /** Leases the ports together, as `settlePorts` needs it. */
  leasePorts: (ports: PortUse[]) => Promise<PortConflict | null>;
  /** Makes these the instance's settings; `config` says so when it resolves. */
  adopt: (settings: AdoptedSettings) => Promise<void>;
}

/**
 * Does to an instance's folder what a start needs, has its ports, and finds out before the start what would make it fail. Throws
 * `launch_failed`, `eula_not_accepted`, `port_in_use` or `invalid_state`.
 */
export async function prepareFolder({
  config,
  properties,
  leasePorts,
  adopt,
}: FolderPreparation): Promise<PreparedFolder> {
  const { definition } = rulesOf(config());
  await requireFolder(config());
  if (definition.eula) await requireEula(config().directory, config().eulaAccepted);

  const file = await properties.settle();
  const settings = gameSettings({
    config: config(),
    definition,
    properties: file.values,
    password: randomBytes(PASSWORD_BYTES).toString('base64url'),
  });
  const wishes = gamePorts({ config: config(), definition, properties: file.values, settings });
  const ports = await settlePorts(wishes, { lease: leasePorts, probe: requireFreePort, pick: findFreePort });
  const rconPort = ports.find(({ purpose }) => purpose === 'rcon')?.port;
  const rcon = settings.rcon && rconPort !== undefined ? { ...settings.rcon, port: rconPort } : undefined;

  if (definition.rcon && rcon && rcon.port !== config().rcon?.port)
    // Without a daemon to tell: what the next start says counts.
    await adopt({ rcon: { port: rcon.port, password: rcon.password, chosen: true } }).catch(() => undefined);
  const changes = settings.changes && { ...settings.changes, ...portProperties(ports) };
  await properties.prepare(file, changes ?? {});

  const secrets = Object.entries({ ...file.values, ...changes })
    .filter(([key]) => isSecretProperty(key))
    .map(([, value]) => value);
  if (rcon) secrets.push(rcon.password);
  return {
    host: settings.reachHost,
    port: config().port,
    rcon: rcon && { host: settings.reachHost, port: rcon.port, password: rcon.password },
    secrets: [...new Set(secrets)].filter((secret) => secret !== ''),
  };
}

/** What the file has to say so that the game takes these ports; what it takes without being told is left alone. */
function portProperties(ports: Awaited<ReturnType<typeof settlePorts>>): Record<string, string> {
  return Object.fromEntries(
    ports
      .filter(({ purpose }) => purpose !== 'discovery' && purpose !== 'query')
      .map(({ key, port }) => [key, String(port)]),
  );
}

async function requireFolder({ directory, managed }: InstanceConfig): Promise<void> {
  if (managed) await mkdir(directory, { recursive: true });
  const stats = await stat(directory).catch(() => undefined); // not there, or behind a folder that we may not enter
  if (!stats?.isDirectory())
    throw new GamekeeperError(
      'launch_failed',
      `The instance's folder ${directory} ${stats ? 'is not a folder' : 'does not exist'}.`,
      {
        resolution: 'Put the folder back, or delete the instance and create it again.',
      },
    );
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new GamekeeperError('launch_failed', `The instance's folder ${directory} may not be written.`, {
      resolution: 'Give the user that runs Gamekeeper the right to read and write the folder.',
      cause,
    });
  }
}
