import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { type Owner, ownerOf } from '../../../shared/node/files/owner.ts';
import { locateServerFile, readServerFile } from '../../../shared/node/files/server-file.ts';
import type { PropertiesFormat } from './properties-format.ts';

/** The file may contain passwords. */
const NEW_FILE_MODE = 0o600;

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
 * `insufficient_storage` if the file cannot be written.
 */
export async function changePropertiesFile(
  before: PropertiesFile,
  changes: Readonly<Record<string, string>>,
): Promise<boolean> {
  const text = before.format.withChanges(before.text, changes);
  if (text === before.text) return false;
  const target = await whereItReallyIs(before.path);
  const bytes = Buffer.from(text, before.encoding);
  await writeFileAtomically(target.path, bytes, target.mode, target.owner).catch((error: unknown) => {
    throw explained(error);
  });
  return true;
}

/** Turns the errors that the owner of the folder can fix into ones that say how. */
function explained(error: unknown): unknown {
  const code = errorCode(error);
  const options = { cause: error };
  switch (code) {
    case 'ENOENT':
      return new GamekeeperError('invalid_state', "The instance's folder does not exist.", {
        resolution: 'Put the folder back, or delete the instance and create it again.',
        ...options,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new GamekeeperError('invalid_state', 'server.properties is not writable.', {
        resolution: 'Give the user that runs Gamekeeper write access to the folder.',
        ...options,
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return new GamekeeperError('insufficient_storage', 'The disk is too full to write server.properties.', options);
    default:
      return error;
  }
}

function encodingOf(bytes: Buffer, { encoding }: PropertiesFormat): PropertiesFile['encoding'] {
  return encoding === 'utf8-or-latin1' && isUtf8(bytes) ? 'utf8' : 'latin1';
}

/**
 * Follows a symbolic link within the folder, which a rename would replace. Returns the file's mode and owner as well, to keep them: a server
 * may run as another user. A new file belongs to the owner of the folder.
 */
async function whereItReallyIs(file: string): Promise<{ path: string; mode: number; owner: Owner | undefined }> {
  try {
    const target = await locateServerFile(file);
    const stats = await stat(target);
    return { path: target, mode: stats.mode & 0o777, owner: ownerOf(stats) };
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    const folder = await stat(dirname(file)).catch(() => undefined); // writing will fail and say so
    return { path: file, mode: NEW_FILE_MODE, owner: folder && ownerOf(folder) };
  }
}
