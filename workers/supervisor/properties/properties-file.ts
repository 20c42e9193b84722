import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { PropertiesEditor } from 'properties-file/editor';
import { escapeKey, escapeValue } from 'properties-file/escape';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../../shared/node/atomic-file.ts';
import { locateServerFile, readServerFile } from '../../../shared/node/server-file.ts';

/** The file may hold passwords: a new one is for its owner only. */
const NEW_FILE_MODE = 0o600;

/** A `.properties` file as it was read: missing and empty are the same. */
export interface PropertiesFile {
  readonly values: Readonly<Record<string, string>>;
  /** Strong entity tag of the bytes. */
  readonly etag: string;
  readonly text: string;
  /** Vanilla writes UTF-8 since 1.20 and ISO 8859-1 before; what was there is kept. */
  readonly encoding: 'utf8' | 'latin1';
}

/** Reads a server's `.properties` file (java.util.Properties). Throws `invalid_state` where it is not one. */
export async function readPropertiesFile(file: string): Promise<PropertiesFile> {
  const bytes = (await readServerFile(file)) ?? Buffer.alloc(0);
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  try {
    return { values: new PropertiesEditor(text).toObject(), etag, text, encoding };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GamekeeperError('invalid_state', `server.properties cannot be understood: ${why}.`, {
      resolution: 'Correct the file by hand: a backslash before a "u" must be doubled.',
      cause,
    });
  }
}

/**
 * Sets the named properties and leaves everything else, comments and order included, as it is. What is not ASCII is escaped,
 * so that it reads the same in either encoding. Does nothing when nothing changes.
 */
export async function changePropertiesFile(
  file: string,
  before: PropertiesFile,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  const text = withProperties(before.text, changes);
  if (text === before.text) return;
  const target = await whereItReallyIs(file);
  await writeFileAtomically(target.path, Buffer.from(text, before.encoding), target.mode);
}

/** The text of a properties file with the changes made. Where a key stands twice, its last line counts, as in Java. */
export function withProperties(text: string, changes: Readonly<Record<string, string>>): string {
  const editor = new PropertiesEditor(text);
  const missing: string[] = [];
  for (const [key, value] of Object.entries(changes)) {
    const current = editor.getEffectiveProperty(key);
    if (current === undefined) missing.push(`${escapeKey(key, true)}=${escapeValue(value, true)}`);
    else if (current.value !== value) editor.update(key, { newValue: value, escapeUnicode: true });
  }
  const changed = editor.format();
  if (missing.length === 0) return changed;
  const lineEnd = editor.eolCharacter;
  const whole = changed === '' || changed.endsWith(lineEnd) ? changed : changed + lineEnd;
  return `${whole}${missing.join(lineEnd)}${lineEnd}`;
}

/** Follows a symbolic link within the folder, which a rename would replace, and keeps the file's mode. */
async function whereItReallyIs(file: string): Promise<{ path: string; mode: number }> {
  try {
    const target = await locateServerFile(file);
    return { path: target, mode: (await stat(target)).mode & 0o777 };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { path: file, mode: NEW_FILE_MODE };
    throw error;
  }
}
