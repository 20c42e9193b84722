import type { SoftwareDefinition } from '../software/definition.ts';
import { isBelow } from '../software/minecraft-version.ts';
import bedrock from './bedrock.json' with { type: 'json' };
import java from './java.json' with { type: 'json' };
import type { KnownProperty } from './property.ts';

const KNOWN: Readonly<Record<SoftwareDefinition['edition'], readonly KnownProperty[]>> = {
  java: java as KnownProperty[],
  bedrock: bedrock as KnownProperty[],
};

/** Returns every known key of an edition's `server.properties`, of all versions, in alphabetical order. */
export function knownProperties(edition: SoftwareDefinition['edition']): readonly KnownProperty[] {
  return KNOWN[edition];
}

export function knownProperty(edition: SoftwareDefinition['edition'], key: string): KnownProperty | undefined {
  return KNOWN[edition].find((property) => property.key === key);
}

/** Returns the keys of a version. A version that is not a number ("latest", a snapshot) counts as the newest. */
export function propertiesOfVersion(edition: SoftwareDefinition['edition'], version: string): KnownProperty[] {
  return KNOWN[edition].filter(
    ({ since, until }) =>
      (since === undefined || !isBelow(version, since)) && (until === undefined || isBelow(version, until)),
  );
}

/** Returns true for properties whose value is never shown. */
export function isSecretProperty(key: string): boolean {
  return /(?:password|passcode|secret|token|api-?key)$/i.test(key);
}
