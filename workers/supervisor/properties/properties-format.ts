import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';
import { bedrockFormat } from './bedrock-format.ts';
import { javaFormat } from './java-format.ts';
import type { TextFormat } from './text-format.ts';

/** How a server reads its `server.properties`. */
export interface PropertiesFormat extends TextFormat {
  /** `utf8-or-latin1`: UTF-8 if it is valid UTF-8, otherwise ISO 8859-1, as newer versions of vanilla read it. */
  encoding: 'latin1' | 'utf8-or-latin1';
}

/** The first version of Minecraft (Java) that uses UTF-8 rather than ISO 8859-1. */
const FIRST_WITH_UTF8 = '1.20';

/** The format of current versions of Minecraft (Java). */
export const JAVA_FORMAT: PropertiesFormat = { ...javaFormat, encoding: 'utf8-or-latin1' };

/** Returns the format of the file in a version of this software. */
export function propertiesFormat({ edition }: SoftwareDefinition, version: string): PropertiesFormat {
  if (edition === 'bedrock') return { ...bedrockFormat, encoding: 'utf8-or-latin1' };
  return isBelow(version, FIRST_WITH_UTF8) ? { ...javaFormat, encoding: 'latin1' } : JAVA_FORMAT;
}
