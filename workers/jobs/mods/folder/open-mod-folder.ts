import { chmodSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';

const FOLDER_MODE = 0o755;

/** To be declared with `using`. */
export interface ModFolder extends Disposable {
  /** Its path, to read it and to remember it by. */
  readonly path: string;
  /** Leads to the opened folder, even if a link has taken its name since: to change it. */
  readonly place: string;
}

/**
 * Opens the mods folder of a server, and creates it if needed. Throws `invalid_state` for anything but a folder: what is changed through a link may be
 * outside of the server's folder (CVE-2023-25152, CVE-2023-25168).
 */
export async function openModFolder(directory: string, name: string): Promise<ModFolder> {
  await mkdir(directory, { recursive: true });
  const root = await realpath(directory);
  const cursor = new TreeCursor(root);
  try {
    const place = cursor.enter(name, (created) => chmodSync(created, FOLDER_MODE));
    return { path: path.join(root, name), place, [Symbol.dispose]: () => cursor[Symbol.dispose]() };
  } catch (cause) {
    cursor[Symbol.dispose]();
    if (!hasErrorCode(cause, 'ELOOP', 'ENOTDIR')) throw cause;
    throw new GamekeeperError('invalid_state', `${name} in the server's folder is a link or a file.`, {
      resolution: 'Put a folder in its place.',
      cause,
    });
  }
}
