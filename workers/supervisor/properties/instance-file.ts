import path from 'node:path';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { rulesOf } from '../game/game-rules.ts';
import { type PropertiesFile, readPropertiesFile } from './properties-file.ts';
import { propertiesFormat } from './properties-format.ts';

/** Reads an instance's `server.properties` as its server does. Throws like `readPropertiesFile`. */
export function readInstanceFile(config: InstanceConfig): Promise<PropertiesFile> {
  const format = propertiesFormat(rulesOf(config).definition, config.version);
  return readPropertiesFile(path.join(config.directory, 'server.properties'), format);
}
