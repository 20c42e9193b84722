import { Button, Group, NavLink, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type FilePlace, readVersion, useVersionRestore, useVersions } from '../../../../api/files.ts';
import { useQuantities } from '../../../../text/quantities.ts';
import { useWords } from '../../../../text/section.ts';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import { notifyProblem } from '../../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert.tsx';
import { nameOf } from '../file-path.ts';
import { filesText } from '../files-text.ts';
import { BothTexts } from './BothTexts.tsx';
import { decodeText } from './text-format.ts';

export interface HistoryDialogProps {
  at: FilePlace;
  /** The text as it is saved now. */
  present: string;
  mayWrite: boolean;
  onClose: () => void;
  onRestored: () => void;
}

/** The earlier versions of a file: what differs from today, and the way back. */
export function HistoryDialog({ at, present, mayWrite, onClose, onRestored }: HistoryDialogProps) {
  const t = useWords(filesText);
  const { exact, size } = useQuantities();
  const versions = useVersions(at);
  const restore = useVersionRestore(at);
  const [chosen, setChosen] = useState<string>();
  const found = versions.data?.versions ?? [];
  const version = chosen ?? found[0]?.version;
  const text = useQuery({
    queryKey: ['file-version', at.instanceId, at.path, version],
    enabled: version !== undefined,
    gcTime: 0,
    queryFn: async () => decodeText(await readVersion(at, version ?? ''))?.text ?? '',
  });
  return (
    <Dialog opened onClose={onClose} size="90%" title={t('historyTitle', { name: nameOf(at.path) })}>
      <Stack>
        {versions.isError && <ProblemAlert error={versions.error} onRetry={() => void versions.refetch()} />}
        {versions.data && found.length === 0 && <Text>{t('noHistory')}</Text>}
        <Stack gap={0} mah="25vh" style={{ overflow: 'auto' }} role="group" aria-label={t('versions')}>
          {found.map(({ version: each, modifiedAt, sizeBytes }) => (
            <NavLink
              key={each}
              component="button"
              active={each === version}
              aria-pressed={each === version}
              label={exact(modifiedAt)}
              description={size(sizeBytes)}
              onClick={() => setChosen(each)}
            />
          ))}
        </Stack>
        {text.isError && <ProblemAlert error={text.error} onRetry={() => void text.refetch()} />}
        {text.data !== undefined && (
          <BothTexts
            name={at.path}
            left={{ title: t('earlier'), text: text.data }}
            right={{ title: t('theirs'), text: present }}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('close')}
          </Button>
          {mayWrite && version !== undefined && (
            <Button
              loading={restore.isPending}
              onClick={() => restore.mutateAsync(version).then(onRestored).catch(notifyProblem)}
            >
              {t('restoreVersion')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
