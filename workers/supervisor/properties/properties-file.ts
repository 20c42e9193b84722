import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { replaceServerFile } from '../../../shared/node/files/server/replace-server-file.ts';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';
import { encodeText } from '../config-files/encode-text.ts';
import type { PropertiesFormat } from './properties-format.ts';

/** A properties file as it was read. */
export interface PropertiesFile {
  readonly path: string;
  readonly format: PropertiesFormat;
  /** False if there is no file yet; it then reads as an empty one. */
  readonly exists: boolean;
  readonly values: Readonly<Record<string, string>>;
  /** Strong entity tag of the bytes. */
  readonly etag: string;
  readonly text: string;
  readonly encoding: 'utf8' | 'latin1';
}

/** Reads a server's properties file. Throws `invalid_state` if it cannot be parsed. */
export async function readPropertiesFile(path: string, format: PropertiesFormat): Promise<PropertiesFile> {
  const found = await readServerFile(path);
  const bytes = found ?? Buffer.alloc(0);
  const encoding = encodingOf(bytes, format);
  const text = bytes.toString(encoding);
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  try {
    return { path, format, exists: found !== undefined, values: format.parse(text), etag, text, encoding };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GamekeeperError('invalid_state', `server.properties cannot be understood: ${why}.`, {
      resolution: 'Edit the file: a backslash before a "u" must be doubled.',
      cause,
    });
  }
}

/**
 * Sets the given properties and leaves everything else unchanged. Resolves to false if there was nothing to change. Throws `invalid_state` or
 * `insufficient_storage` if the file cannot be written, and `invalid_state` if its encoding lacks a character.
 */
export async function changePropertiesFile(
  before: PropertiesFile,
  changes: Readonly<Record<string, string>>,
): Promise<boolean> {
  const text = before.format.withChanges(before.text, changes);
  if (text === before.text) return false;
  await replaceServerFile(before.path, encodeText(text, before.encoding, 'server.properties'));
  return true;
}

/**
 * Writes a file again as it was read, if the game has written it since: the game begins it with the time. What somebody else changed stays.
 * Throws as `changePropertiesFile` does.
 */
export async function undoGamesWriting(before: PropertiesFile): Promise<void> {
  const now = await readServerFile(before.path);
  if (now !== undefined && headOf(now.toString(before.encoding)) === headOf(before.text)) return;
  await replaceServerFile(before.path, encodeText(before.text, before.encoding, 'server.properties'));
}

/** The comment and the time, as java.util.Properties writes them. */
function headOf(text: string): string {
  return text.split(/\r?\n/, 2).join('\n');
}

function encodingOf(bytes: Buffer, { encoding }: PropertiesFormat): PropertiesFile['encoding'] {
  return encoding === 'utf8-or-latin1' && isUtf8(bytes) ? 'utf8' : 'latin1';
}
