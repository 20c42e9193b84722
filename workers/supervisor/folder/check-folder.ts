import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';

const ACCEPTED = /^[ \t]*eula[ \t]*=[ \t]*true[ \t]*$/im;
const EULA_TEXT =
  '#The owner of this server has accepted the EULA (https://aka.ms/MinecraftEULA) in Gamekeeper.\neula=true\n';

/** Creates the folder if Gamekeeper manages it. Throws `launch_failed` unless it is a folder that we can read and write. */
export async function requireFolder({ directory, managed }: InstanceConfig): Promise<void> {
  if (managed) await mkdir(directory, { recursive: true, mode: 0o700 });
  const stats = await stat(directory).catch(() => undefined); // missing, or inside a folder that we may not enter
  if (!stats?.isDirectory())
    throw new GamekeeperError(
      'launch_failed',
      `The instance's folder ${directory} ${stats ? 'is not a folder' : 'does not exist'}.`,
      { resolution: 'Put the folder back, or delete the instance and create it again.' },
    );
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new GamekeeperError('launch_failed', `The instance's folder ${directory} is not writable.`, {
      resolution: 'Allow the user that runs Gamekeeper to read and write the folder.',
      cause,
    });
  }
}

/**
 * Checks that the EULA was accepted, in the instance's settings or in `eula.txt`, and writes the file if only the settings accept it.
 * Throws `eula_not_accepted`.
 */
export async function requireEula({ directory, eulaAccepted }: InstanceConfig): Promise<void> {
  const file = path.join(directory, 'eula.txt');
  if (ACCEPTED.test(String((await readServerFile(file)) ?? ''))) return;
  if (!eulaAccepted) {
    throw new GamekeeperError('eula_not_accepted', 'The EULA of this server software has not been accepted.', {
      resolution: 'Read https://aka.ms/MinecraftEULA, then set acceptEula to true for the instance.',
    });
  }
  await writeFileAtomically(file, EULA_TEXT, 0o644);
}
