import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useFileChange, useTrash } from '../../../api/files.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { notifyDone, notifyProblem } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import { filesText } from './files-text.ts';

/** What was deleted in the last week, to put it back. */
export function TrashDialog({ instanceId, onClose }: { instanceId: string; onClose: () => void }) {
  const t = useWords(filesText);
  const isPhone = useIsPhone();
  const trash = useTrash(instanceId);
  const change = useFileChange(instanceId);
  const [isEmptying, setIsEmptying] = useState(false);
  const entries = trash.data?.entries ?? [];
  const restore = (trashId: string, path: string) =>
    change
      .mutateAsync({ kind: 'restore', trashId })
      .then(() => notifyDone(t('restored', { path })))
      .catch(notifyProblem);
  return (
    <>
      <Dialog opened onClose={onClose} size="lg" fullScreen={isPhone} closeOnEscape={!isEmptying} title={t('trash')}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('trashHint')}
          </Text>
          {trash.isPending && <Skeleton h={36} />}
          {trash.isError && <ProblemAlert error={trash.error} onRetry={() => void trash.refetch()} />}
          {trash.data && entries.length === 0 && <Text>{t('trashEmpty')}</Text>}
          <Stack component="ul" m={0} p={0} gap={4} style={{ listStyle: 'none' }}>
            {entries.map(({ trashId, path, deletedAt, deletedBy }) => (
              <Group key={trashId} component="li" justify="space-between" wrap="nowrap">
                <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                  <Text size="sm">{path}</Text>
                  <Text size="xs" c="dimmed">
                    <RelativeTime at={deletedAt} />
                    {deletedBy !== undefined && ` · ${deletedBy}`}
                  </Text>
                </div>
                <Button
                  variant="default"
                  size="compact-sm"
                  style={{ flexShrink: 0 }}
                  aria-label={t('restoreOf', { name: path })}
                  onClick={() => void restore(trashId, path)}
                >
                  {t('restore')}
                </Button>
              </Group>
            ))}
          </Stack>
          {entries.length > 0 && (
            <Group justify="flex-end">
              <Button variant="default" color="danger" onClick={() => setIsEmptying(true)}>
                {t('emptyTrash')}
              </Button>
            </Group>
          )}
        </Stack>
      </Dialog>
      <Confirm
        opened={isEmptying}
        onClose={() => setIsEmptying(false)}
        title={t('emptyTrashTitle')}
        action={t('emptyTrash')}
        onConfirm={() => change.mutateAsync({ kind: 'empty-trash' })}
      >
        {t('emptyTrashWarning')}
      </Confirm>
    </>
  );
}
