import type { StoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { Store, StorePlace } from './store.ts';
import { STALL_MS } from './transfer/operation.ts';

/** Opens a store of the settings, without connecting to it yet. The packages of each kind are loaded with the first store of that kind. */
export async function openStore(
  settings: StoreSettings,
  { stallMs = STALL_MS, ...place }: Omit<StorePlace, 'stallMs'> & { stallMs?: number },
): Promise<Store> {
  const full = { ...place, stallMs };
  switch (settings.kind) {
    case 'folder':
      return (await import('./folder-store.ts')).openFolderStore(settings, full);
    case 'sftp':
      return (await import('./sftp/sftp-store.ts')).openSftpStore(settings, full);
    case 'webdav':
      return (await import('./webdav-store.ts')).openWebdavStore(settings, full);
    case 's3':
      return (await import('./s3/s3-store.ts')).openS3Store(settings, full);
    case 'rclone':
      return (await import('./rclone/rclone-store.ts')).openRcloneStore(settings, full);
  }
}
