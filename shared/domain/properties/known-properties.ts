import type { SoftwareDefinition } from '../software/definition.ts';
import { isBelow } from '../software/minecraft-version.ts';
import bedrock from './bedrock.json' with { type: 'json' };
import java from './java.json' with { type: 'json' };
import type { KnownProperty } from './property.ts';

const KNOWN: Readonly<Record<SoftwareDefinition['edition'], readonly KnownProperty[]>> = {
  java: java as KnownProperty[],
  bedrock: bedrock as KnownProperty[],
};

/** Every key that is known of an edition's `server.properties`, of all versions, in the order of the alphabet. */
export function knownProperties(edition: SoftwareDefinition['edition']): readonly KnownProperty[] {
  return KNOWN[edition];
}

/** The key's entry, whatever the version. */
export function knownProperty(edition: SoftwareDefinition['edition'], key: string): KnownProperty | undefined {
  return KNOWN[edition].find((property) => property.key === key);
}

/** Those that a version has. One that is no number ("latest", a snapshot) counts as the newest. */
export function propertiesOfVersion(edition: SoftwareDefinition['edition'], version: string): KnownProperty[] {
  return KNOWN[edition].filter(
    ({ since, until }) =>
      (since === undefined || !isBelow(version, since)) && (until === undefined || isBelow(version, until)),
  );
}

/** True for properties whose value nobody gets to read. */
export function isSecretProperty(key: string): boolean {
  return /(?:password|passcode|secret|token|api-?key)$/i.test(key);
}
