import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Home } from '../../../shared/node/files/home.ts';
import { endRecorded } from '../../../shared/node/processes/recorded-process.ts';

/** Ends the installers that a jobs process has left at work in servers' folders when it was killed. To be called before anything is begun. */
export async function endLeftInstallers(home: Home): Promise<void> {
  const { dir, ext } = path.parse(home.installerRecord('any'));
  const names = await readdir(dir).catch(() => []); // nothing was ever started
  await Promise.all(
    names.filter((name) => path.extname(name) === ext).map((name) => endRecorded(path.join(dir, name))),
  );
}
