import { readJsonRecord } from '../../../shared/node/files/json-record.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import type { ProxyConfig } from '../startup/config.ts';

/** Resolves to the address of the running proxy, unless it is configured. Throws StartupError if it is neither configured nor running. */
export async function issuerOf({ publicUrl, home }: ProxyConfig): Promise<string> {
  if (publicUrl !== undefined) return publicUrl;
  const record = await readJsonRecord(home.record);
  if (typeof record === 'object' && record !== null && 'url' in record) return String(record.url);
  throw new StartupError(
    'The address of the proxy is not known: it is not running, and GAMEKEEPER_PROXY_URL is not set.\nStart it with: gamekeeper proxy',
  );
}
