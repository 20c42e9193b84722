import { mkdir } from 'node:fs/promises';
import type { ProxyConfig } from '../startup/config.ts';
import { type Database, openDatabase } from './database.ts';
import { createVault, readKeyFile, type Vault } from './vault.ts';

export interface Store {
  database: Database;
  vault: Vault;
}

/** Opens what the proxy and its commands work on. Creates the data directory if necessary. Throws StartupError if it cannot be used. */
export async function openStore(
  { home, databaseUrl, secret }: ProxyConfig,
  onError: (error: Error) => void,
): Promise<Store> {
  await mkdir(home.root, { recursive: true, mode: 0o700 });
  const vault = createVault(secret ?? (await readKeyFile(home.keyFile)));
  return { database: await openDatabase({ file: home.database, url: databaseUrl, onError }), vault };
}
