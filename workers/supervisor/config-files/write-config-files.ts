import { isUtf8 } from 'node:buffer';
import { realpath } from 'node:fs/promises';
import type { ConfigFile, SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { fillPlaceholders, placeholderType, type Values } from '../../../shared/domain/software/placeholders.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { replaceServerFile } from '../../../shared/node/files/server/replace-server-file.ts';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { javaFormat } from '../properties/java-format.ts';
import { encodeText } from './encode-text.ts';
import { iniFormat } from './ini-format.ts';
import { jsonFormat } from './json-format.ts';
import { linesFormat } from './lines-format.ts';
import { type ConfigFormat, type Setting, textsOf } from './setting.ts';
import { tomlFormat } from './toml-format.ts';
import { xmlFormat } from './xml-format.ts';
import { yamlFormat } from './yaml-format.ts';

const FORMATS: Readonly<Record<ConfigFile['format'], ConfigFormat>> = {
  ini: iniFormat,
  json: jsonFormat,
  lines: linesFormat,
  properties: {
    apply: (text, settings) =>
      javaFormat.withChanges(text, Object.fromEntries(settings.map((one) => [one.key, textsOf(one).join(',')]))),
  },
  toml: tomlFormat,
  xml: xmlFormat,
  yaml: yamlFormat,
};

/**
 * Sets the keys of a kind in the settings files of a server, and keeps the rest of each file. Never follows a link out of the server's folder.
 * Throws `invalid_state` with the file if one cannot be parsed or written, or its encoding lacks a character.
 */
export async function writeConfigFiles(
  directory: string,
  { configFiles = [], variables }: Pick<SoftwareDefinition, 'configFiles' | 'variables'>,
  values: Values,
): Promise<void> {
  if (configFiles.length === 0) return;
  using cursor = new TreeCursor(await realpath(directory));
  for (const config of configFiles) {
    const { file, set } = config;
    const fill = (text: string) => fillPlaceholders(text, values);
    const settings = Object.entries(set).map(([key, value]): Setting => {
      if (typeof value === 'string') return { key, value: fill(value), type: placeholderType(value, variables) };
      return { key, value: Array.isArray(value) ? value.map(fill) : value, type: 'text' };
    });
    const place = placeOf(cursor, file);
    const bytes = (await readServerFile(place)) ?? Buffer.alloc(0);
    const changed = await changedBytes(bytes, settings, config);
    if (!changed.equals(bytes)) await replaceServerFile(place, changed);
  }
}

/** Creates missing folders. */
function placeOf(cursor: TreeCursor, file: string): string {
  try {
    return cursor.placeOf(file, () => undefined);
  } catch (cause) {
    if (!hasErrorCode(cause, 'ENOTDIR', 'ELOOP')) throw cause;
    throw new GamekeeperError('invalid_state', `A folder on the way to ${file} is a file or a link.`, {
      resolution: 'Put a folder in its place.',
      cause,
    });
  }
}

async function changedBytes(
  bytes: Buffer,
  settings: readonly Setting[],
  { file, format }: ConfigFile,
): Promise<Buffer> {
  // Settings of older games are not in UTF-8. A mark at the beginning stays, but is no part of the first line.
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return encodeText(mark + (await changedText(text.slice(mark.length), settings, { file, format })), encoding, file);
}

async function changedText(
  text: string,
  settings: readonly Setting[],
  { file, format }: Pick<ConfigFile, 'file' | 'format'>,
): Promise<string> {
  try {
    return await FORMATS[format].apply(text, settings);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GamekeeperError('invalid_state', `${file} cannot be understood as ${format}: ${why}.`, {
      resolution: 'Correct the file, or remove it.',
      cause,
    });
  }
}
