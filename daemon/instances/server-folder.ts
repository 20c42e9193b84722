import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { getProperties } from 'properties-file';
import { boundAddress, type PortUse } from '../../shared/domain/instance/port-use.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { readServerFile } from '../../shared/node/files/server/server-file.ts';

/** What the files of a server's folder define. */
export interface FolderSettings {
  port?: number;
  rconEnabled: boolean;
  rconPort?: number;
  rconPassword?: string;
}

/**
 * Returns the real path of a server folder that the owner provides. Throws `invalid_request` unless it is the absolute path of a usable folder
 * without files of Gamekeeper, `instance_exists` if it overlaps with the folder of another instance.
 */
export async function ownFolder(
  directory: string,
  { home, others }: { home: string; others: readonly { id: string; directory: string }[] },
): Promise<string> {
  if (!path.isAbsolute(directory)) throw refused(`must be an absolute path (is: ${JSON.stringify(directory)})`);
  const folder = await realpath(directory).catch((cause: unknown) => {
    throw refused(`${directory} does not exist`, cause);
  });
  if (!(await stat(folder)).isDirectory()) throw refused(`${directory} is not a folder`);
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw refused(`${directory} cannot be read and written by the user that runs Gamekeeper`, cause);
  });
  const realHome = await realpath(home);
  if (contains(folder, realHome)) throw refused(`${directory} holds Gamekeeper's own data directory`);
  for (const other of others) {
    const taken = await realpath(other.directory).catch(() => other.directory); // it does not exist any more
    if (contains(folder, taken) || contains(taken, folder))
      throw new GamekeeperError(
        'instance_exists',
        folder === taken
          ? `The folder ${directory} belongs to the instance "${other.id}".`
          : `The folder ${directory} overlaps with the folder of the instance "${other.id}".`,
      );
  }
  const instances = path.join(realHome, 'instances');
  if (contains(realHome, folder) && (folder === instances || !contains(instances, folder)))
    throw refused(`${directory} is in Gamekeeper's own data directory`);
  return folder;
}

/** Reads a folder's `server.properties`, if there is one that can be parsed. Throws `invalid_state` like readServerFile. */
export async function readFolderSettings(folder: string): Promise<FolderSettings> {
  const properties = propertiesIn(String((await readServerFile(path.join(folder, 'server.properties'))) ?? ''));
  const port = portOf(properties['server-port']);
  const rconPort = portOf(properties['rcon.port']);
  const rconPassword = properties['rcon.password'];
  return {
    rconEnabled: properties['enable-rcon'] === 'true',
    ...(port !== undefined && { port }),
    ...(rconPort !== undefined && { rconPort }),
    ...(rconPassword && { rconPassword }),
  };
}

/** Reads a folder's `server.properties`. Returns none if it cannot be read. */
export async function readPortProperties(folder: string): Promise<Record<string, string>> {
  const bytes = await readServerFile(path.join(folder, 'server.properties')).catch(() => undefined); // reported when that server starts
  return propertiesIn(String(bytes ?? ''));
}

/**
 * Returns the ports that are defined only in `server.properties`: of the query and the management protocol, if enabled, and Bedrock's IPv6
 * port.
 */
export function otherPorts(properties: Readonly<Record<string, string>>): PortUse[] {
  const isOn = (key: string) => properties[key]?.trim().toLowerCase() === 'true';
  const use = (wanted: Omit<PortUse, 'port' | 'host'>, text: string | undefined, address?: string): PortUse[] => {
    const port = portOf(text);
    const host = boundAddress(address);
    return port === undefined ? [] : [{ ...wanted, port, ...(host !== undefined && { host }) }];
  };
  const query = { purpose: 'query', transport: 'udp' } as const;
  const management = { purpose: 'management', transport: 'tcp' } as const;
  const managementHost = properties['management-server-host'] ?? 'localhost';
  return [
    ...(isOn('enable-query') ? use(query, properties['query.port'] ?? '25565', properties['server-ip']) : []),
    ...(isOn('management-server-enabled') ? use(management, properties['management-server-port'], managementHost) : []),
    ...use({ purpose: 'game-ipv6', transport: 'udp' }, properties['server-portv6']),
  ];
}

function propertiesIn(text: string): Record<string, string> {
  try {
    return getProperties(text);
  } catch {
    return {}; // reported when that server starts
  }
}

function portOf(text: string | undefined): number | undefined {
  const port = Number(text);
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined;
}

function contains(outer: string, inner: string): boolean {
  const way = path.relative(outer, inner);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

function refused(reason: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('invalid_request', `directory: ${reason}.`, cause === undefined ? {} : { cause });
}
