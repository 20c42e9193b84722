import type { StoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { Store, StorePlace } from './store.ts';
import { STALL_MS } from './transfer/operation.ts';

/** Creates a store of the settings, without connecting to it yet. The packages of each kind are loaded with the first store of that kind. */
export async function createStore(
  settings: StoreSettings,
  { stallMs = STALL_MS, ...place }: Omit<StorePlace, 'stallMs'> & { stallMs?: number },
): Promise<Store> {
  const full = { ...place, stallMs };
  switch (settings.kind) {
    case 'folder':
      return (await import('./folder-store.ts')).createFolderStore(settings, full);
    case 'sftp':
      return (await import('./sftp/sftp-store.ts')).createSftpStore(settings, full);
    case 'webdav':
      return (await import('./webdav-store.ts')).createWebdavStore(settings, full);
    case 's3':
      return (await import('./s3/s3-store.ts')).createS3Store(settings, full);
    case 'rclone':
      return (await import('./rclone/rclone-store.ts')).createRcloneStore(settings, full);
  }
}
