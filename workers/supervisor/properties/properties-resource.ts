import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { checkProperty, isSecret } from './known-properties.ts';
import { changePropertiesFile, type PropertiesFile, readPropertiesFile } from './properties-file.ts';

/** What stands in for a secret; written back, it leaves the secret as it is. */
export const MASK = '********';

export interface PropertiesResource {
  properties: Record<string, string>;
  etag: string;
}

export interface PropertiesChange {
  properties: Record<string, string>;
  /** `If-Match` as it came (RFC 9110, section 13.1.1). */
  ifMatch?: string;
  /** Properties that follow from the instance's settings, and the setting's name: they would be overwritten at the next start. */
  governed: ReadonlyMap<string, { setting: string; value: string }>;
}

/** The properties of a file, secrets masked; empty where there is no file yet. */
export async function readProperties(file: string): Promise<PropertiesResource> {
  return masked(await readPropertiesFile(file));
}

/** Sets the named properties. Throws `precondition_failed` or `invalid_request`; then nothing was written. */
export async function changeProperties(file: string, change: PropertiesChange): Promise<PropertiesResource> {
  const before = await readPropertiesFile(file);
  if (change.ifMatch !== undefined && !matches(change.ifMatch, before.etag))
    throw new GamekeeperError('precondition_failed', 'server.properties has changed since you read it.');
  // What is written back as it was read is no change: neither a mask nor an old value that we would not accept as a new one.
  const wanted = Object.entries(change.properties).filter(
    ([key, value]) => before.values[key] !== value && !(isSecret(key) && value === MASK),
  );
  for (const [key, value] of wanted) {
    checkProperty(key, value);
    const governor = change.governed.get(key);
    if (governor && governor.value !== value)
      throw new GamekeeperError(
        'invalid_request',
        `properties.${key}: follows the instance's ${governor.setting} (${governor.value}).`,
        {
          resolution: `Change the instance's ${governor.setting} instead (PATCH /instances/{id}).`,
        },
      );
  }
  await changePropertiesFile(file, before, Object.fromEntries(wanted));
  return readProperties(file);
}

function masked({ values, etag }: PropertiesFile): PropertiesResource {
  const properties = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, isSecret(key) && value !== '' ? MASK : value]),
  );
  return { properties, etag };
}

function matches(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === '*' || ifMatch.split(',').some((candidate) => candidate.trim() === etag);
}
