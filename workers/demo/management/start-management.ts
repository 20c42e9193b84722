import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import type { Game } from '../commands/command.ts';
import type { ServerProperties } from '../configuration/server-properties.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { MainThread } from '../game/main-thread.ts';
import { type ManagementServer, startManagementServer } from './management-server.ts';

export interface StartManagementOptions {
  readonly folder: string;
  readonly properties: ServerProperties;
  readonly game: Game;
  readonly mainThread: MainThread;
  readonly log: ConsoleLog;
}

/**
 * Starts the management server if `server.properties` enables it. Generates a missing secret and stores it there, as vanilla does. Throws
 * in the cases in which vanilla does not start either.
 */
export async function startManagement(start: StartManagementOptions): Promise<ManagementServer | undefined> {
  const { folder, properties, game, log } = start;
  if (!properties.managementEnabled) return undefined;
  const secret = properties.managementSecret || madeSecret();
  if (secret !== properties.managementSecret) await game.store('management-server-secret', secret);
  const { managementHost: host, managementPort: port, managementTls, managementKeystore: file } = properties;
  if (managementTls && file === '') throw new Error('TLS is enabled but keystore is not configured');
  log.info(`Starting json RPC server on ${host}:${port}`);
  const keystore = { file: resolve(folder, file), password: properties.managementKeystorePassword };
  return startManagementServer({ ...start, endpoint: { host, port, secret, ...(managementTls && { keystore }) } });
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function madeSecret(): string {
  return Array.from({ length: 40 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
