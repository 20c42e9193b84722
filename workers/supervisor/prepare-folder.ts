import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import { requireEula } from './eula.ts';
import type { GameRules } from './game-rules.ts';
import { findFreePort, requireFreePort } from './port-probe.ts';
import { type GameSettings, gameSettings } from './properties/game-settings.ts';
import { isSecret } from './properties/known-properties.ts';
import { changePropertiesFile, readPropertiesFile } from './properties/properties-file.ts';

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

/**
 * Does to an instance's folder what a start needs, and finds out before the start what would make it fail. Throws `launch_failed`,
 * `eula_not_accepted`, `port_in_use` or `invalid_state`.
 */
export async function prepareFolder(config: InstanceConfig, { definition }: GameRules): Promise<PreparedFolder> {
  await requireFolder(config);
  if (definition.eula) await requireEula(config.directory, config.eulaAccepted);

  const file = propertiesPath(config);
  const properties = await readPropertiesFile(file);
  const settings = gameSettings({
    config,
    definition,
    properties: properties.values,
    password: randomBytes(PASSWORD_BYTES).toString('base64url'),
  });
  await requireFreePort({
    port: config.port,
    use: 'port',
    ...(settings.bindHost !== undefined && { host: settings.bindHost }),
  });
  const rcon = await settleRcon(settings);
  const changes = rcon && settings.changes ? { ...settings.changes, 'rcon.port': String(rcon.port) } : settings.changes;
  if (changes) await changePropertiesFile(file, properties, changes);

  const secrets = Object.entries({ ...properties.values, ...changes })
    .filter(([key]) => isSecret(key))
    .map(([, value]) => value);
  if (rcon) secrets.push(rcon.password);
  return {
    host: settings.reachHost,
    port: config.port,
    rcon,
    secrets: [...new Set(secrets)].filter((secret) => secret !== ''),
  };
}

/** The file that GET and PUT properties are about. */
export function propertiesPath(config: InstanceConfig): string {
  return path.join(config.directory, 'server.properties');
}

/** RCON with a port that is free: the one that is wanted, or, where nobody has said which, any. */
async function settleRcon({ rcon, bindHost, reachHost }: GameSettings): Promise<PreparedFolder['rcon']> {
  if (!rcon) return undefined;
  const { port, password, chosen } = rcon;
  const anyFree = async () => ({ host: reachHost, port: await findFreePort(), password });
  if (port === undefined) return anyFree();
  try {
    await requireFreePort({ port, use: 'RCON port', ...(bindHost !== undefined && { host: bindHost }) });
  } catch (error) {
    if (chosen) return anyFree(); // nobody depends on the number
    throw error;
  }
  return { host: reachHost, port, password };
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
