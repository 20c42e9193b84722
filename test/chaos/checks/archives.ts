import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Backup } from '../../../shared/schema/backup.ts';
import { isOnPath } from '../../support/machine/system-packages.ts';
import type { Inspection } from './invariants.ts';

/** Checks that every archive has its SHA-256, that `unzip` unpacks it, and that catalogue and files agree. Resolves to their number. */
export async function checkArchives({ home, client, ledger, onFault }: Inspection): Promise<number> {
  let checked = 0;
  for (const { id } of ledger.servers) {
    const listed = (await client.request<Backup[]>('GET', `/instances/${id}/backups`))?.body ?? [];
    const folder = path.join(home, 'backups', id);
    for (const backup of listed) {
      const fault = await faultOf(path.join(folder, `${backup.backupId}.zip`), backup);
      if (fault !== undefined) onFault(`${id}/${backup.backupId}: ${fault}`);
      checked++;
    }
    const expected = new Set(listed.flatMap(({ backupId }) => [`${backupId}.json`, `${backupId}.zip`]));
    const found = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of found) if (!expected.delete(name)) onFault(`backups/${id}/${name} is not in the catalogue`);
    for (const name of expected) onFault(`backups/${id}/${name} is missing`);
  }
  return checked;
}

async function faultOf(archive: string, { sha256, fileCount }: Backup): Promise<string | undefined> {
  if (!existsSync(archive)) return 'the archive is missing';
  const hash = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (hash !== sha256) return `its SHA-256 is ${hash} instead of ${sha256}`;
  if (!isOnPath('unzip')) return undefined;
  const scratch = mkdtempSync(path.join(tmpdir(), 'gk-chaos-'));
  try {
    await promisify(execFile)('unzip', ['-qq', archive, '-d', scratch]);
    const files = readdirSync(scratch, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.length === fileCount ? undefined : `${files.length} files were unpacked instead of ${fileCount}`;
  } catch (error) {
    return `unzip: ${(error as Error).message}`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
