import { readFile, writeFile } from 'node:fs/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { parseProperties } from './properties-format.ts';

/** Returns whether `eula.txt` contains `eula=true`. Writes a missing file with `eula=false`, as vanilla does. */
export async function isEulaAccepted(file: string, now: Date): Promise<boolean> {
  try {
    return (
      parseProperties(await readFile(file, 'utf8'))
        .get('eula')
        ?.toLowerCase() === 'true'
    );
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  await writeFile(
    file,
    '#By changing the setting below to TRUE you are indicating your agreement to our EULA ' +
      `(https://aka.ms/MinecraftEULA).\n#${now.toString()}\neula=false\n`,
  );
  return false;
}
