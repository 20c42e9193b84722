import path from 'node:path';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { readServerFile } from '../../../shared/node/files/server-file.ts';

const ACCEPTED = /^[ \t]*eula[ \t]*=[ \t]*true[ \t]*$/im;
const TEXT =
  '#The owner of this server has accepted the EULA (https://aka.ms/MinecraftEULA) in Gamekeeper.\neula=true\n';

/**
 * Makes sure that the vendor's licence has been accepted: in the instance's settings, which is then written into `eula.txt`,
 * or in that file already. Throws `eula_not_accepted`.
 */
export async function requireEula(folder: string, accepted: boolean): Promise<void> {
  const file = path.join(folder, 'eula.txt');
  if (ACCEPTED.test(String((await readServerFile(file)) ?? ''))) return;
  if (!accepted) {
    throw new GamekeeperError('eula_not_accepted', 'The EULA of this server software has not been accepted.', {
      resolution: 'Read https://aka.ms/MinecraftEULA, then set acceptEula to true for the instance.',
    });
  }
  await writeFileAtomically(file, TEXT, 0o644);
}
