import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';
import { bedrockFormat } from './bedrock-format.ts';
import { javaFormat } from './java-format.ts';
import type { TextFormat } from './text-format.ts';

/** How a server reads its `server.properties`. */
export interface PropertiesFormat extends TextFormat {
  /** `utf8-or-latin1`: as UTF-8 if it is that, else as ISO 8859-1, as newer versions of vanilla do it. */
  encoding: 'latin1' | 'utf8-or-latin1';
}

/** First version of Minecraft (Java) that reads and writes its file as UTF-8; before it was ISO 8859-1. */
const FIRST_WITH_UTF8 = '1.20';

/** What Minecraft (Java) reads and writes by now. */
export const JAVA_FORMAT: PropertiesFormat = { ...javaFormat, encoding: 'utf8-or-latin1' };

/** The format of a kind's file in a version of it. */
export function propertiesFormat({ edition }: SoftwareDefinition, version: string): PropertiesFormat {
  if (edition === 'bedrock') return { ...bedrockFormat, encoding: 'utf8-or-latin1' };
  return isBelow(version, FIRST_WITH_UTF8) ? { ...javaFormat, encoding: 'latin1' } : JAVA_FORMAT;
}
