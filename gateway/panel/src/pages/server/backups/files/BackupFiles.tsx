import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useFileRestore } from '../../../../api/backup-files.ts';
import type { Backup, Instance } from '../../../../api/transport/client.ts';
import { useQuantities } from '../../../../text/quantities.ts';
import { useWords } from '../../../../text/section.ts';
import { Confirm } from '../../../../ui/dialog/Confirm.tsx';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import { FolderWay } from '../../../../ui/display/FolderWay.tsx';
import { useIsPhone } from '../../../../ui/use-is-phone.ts';
import { Differences } from './Differences.tsx';
import { FolderList } from './FolderList.tsx';
import { filesText } from './files-text.ts';

export interface BackupFilesProps {
  instance: Instance;
  backup: Backup;
  onClose: () => void;
}

/** Shows what is in a backup, folder by folder, and what of it differs from today; downloads and restores single files. */
export function BackupFiles({ instance, backup, onClose }: BackupFilesProps) {
  const t = useWords(filesText);
  const { exact } = useQuantities();
  const isPhone = useIsPhone();
  const [path, setPath] = useState('');
  const [compares, setCompares] = useState(false);
  const [restoring, setRestoring] = useState<string>();
  const at = { instanceId: instance.id, backupId: backup.backupId, path };
  const Shown = compares ? Differences : FolderList;
  return (
    <>
      <Dialog
        opened
        onClose={onClose}
        size="xl"
        fullScreen={isPhone}
        // The question on top of it closes first.
        closeOnEscape={restoring === undefined}
        title={t('title', { time: exact(backup.createdAt) })}
      >
        <Stack>
          <Group justify="space-between">
            <FolderWay path={path} top={t('top')} label={t('way')} onOpen={setPath} />
            <Button variant="default" size="compact-sm" onClick={() => setCompares(!compares)}>
              {t(compares ? 'browse' : 'compare')}
            </Button>
          </Group>
          <Shown key={path} at={at} onOpen={setPath} onRestore={setRestoring} />
        </Stack>
      </Dialog>
      <ConfirmRestore
        instance={instance}
        backup={backup}
        path={restoring}
        onClose={() => setRestoring(undefined)}
        onDone={onClose}
      />
    </>
  );
}

interface ConfirmRestoreProps extends BackupFilesProps {
  /** What to restore; absent while nobody asks. */
  path: string | undefined;
  onDone: () => void;
}

function ConfirmRestore({ instance, backup, path, onClose, onDone }: ConfirmRestoreProps) {
  const t = useWords(filesText);
  const { exact } = useQuantities();
  const restore = useFileRestore({ instanceId: instance.id, backupId: backup.backupId });
  const running = instance.status !== 'stopped';
  const name = path?.slice(path.lastIndexOf('/') + 1) ?? '';
  return (
    <Confirm
      opened={path !== undefined}
      onClose={onClose}
      title={t('restoreTitle', { name })}
      action={t('restore')}
      blocked={running}
      onConfirm={async () => {
        if (path === undefined) return;
        await restore.mutateAsync([path]);
        onDone();
      }}
    >
      <span style={{ overflowWrap: 'anywhere' }}>
        {t('restoreWarning', { path: path ?? '', server: instance.name, time: exact(backup.createdAt) })}
      </span>
      {running && (
        <Text size="sm" c="danger" mt="xs">
          {t('restoreRunning')}
        </Text>
      )}
    </Confirm>
  );
}
