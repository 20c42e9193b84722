import { Button, FileInput, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Instance } from '../../../api/transport/client.ts';
import { useWorldChange } from '../../../api/worlds.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { UploadProgress } from '../../../ui/feedback/UploadProgress.tsx';
import { worldsText } from './worlds-text.ts';

/** `upload`: to a folder whose name is still to be chosen. */
export interface PlannedChange {
  kind: 'replace' | 'reset' | 'upload';
  folder: string;
}

export interface WorldDialogProps {
  instance: Instance;
  planned: PlannedChange;
  onClose: () => void;
}

const ACTIONS = {
  replace: { stopped: 'replaceDo', running: 'stopReplaceStart' },
  upload: { stopped: 'uploadDo', running: 'stopUploadStart' },
  reset: { stopped: 'resetDo', running: 'stopResetStart' },
} as const;

/** Asks for what is needed to change a world, and changes it. If that fails, stays open and shows why. */
export function WorldDialog({ instance, planned: { kind, folder: known }, onClose }: WorldDialogProps) {
  const t = useWords(worldsText);
  const [sentBytes, setSentBytes] = useState(0);
  const [cancelling] = useState(() => new AbortController());
  const change = useWorldChange(instance, { onProgress: setSentBytes, signal: cancelling.signal });
  const [file, setFile] = useState<File | null>(null);
  const [seed, setSeed] = useState('');
  const [folder, setFolder] = useState(known);
  const isRunning = instance.status !== 'stopped';
  const isReady = folder.trim() !== '' && (kind === 'reset' || file !== null);
  /** Once all is uploaded, the change is made whether the dialog is open or not. */
  const isSettled = change.isPending && (file === null || sentBytes >= file.size);
  const close = () => {
    if (!isSettled) cancelling.abort();
    onClose();
  };
  const confirm = () => {
    const wanted = kind === 'reset' ? { kind, folder, seed } : { kind: 'replace' as const, folder, file: file! };
    change.mutate(wanted, {
      onSuccess: () => {
        notifyDone(t('done', { name: folder }));
        onClose();
      },
    });
  };
  return (
    <Dialog opened keepTyped onClose={close} title={t(`${kind}Title`, { name: known })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <Stack>
          <Text size="sm">{t(kind === 'reset' ? 'resetHint' : 'replaceHint')}</Text>
          {kind === 'upload' && (
            <TextInput
              label={t('folder')}
              description={t('folderHint')}
              value={folder}
              onChange={(event) => setFolder(event.currentTarget.value)}
            />
          )}
          {kind !== 'reset' && (
            <FileInput label={t('zip')} accept=".zip,application/zip" value={file} onChange={setFile} data-autofocus />
          )}
          {kind === 'reset' && (
            <TextInput
              label={t('newSeed')}
              description={t('newSeedHint')}
              value={seed}
              onChange={(event) => setSeed(event.currentTarget.value)}
              maxLength={100}
              data-autofocus
            />
          )}
          <Text size="sm" c="dimmed">
            {t('backedUp')} {isRunning && t('runs')}
          </Text>
          {change.isPending && file && (
            <UploadProgress sentBytes={sentBytes} sizeBytes={file.size} whenSent={t('unpacking')} />
          )}
          {change.isError && <ProblemAlert error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={isSettled}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              {...(kind !== 'upload' && { color: 'danger' })}
              loading={change.isPending}
              disabled={!isReady}
            >
              {t(ACTIONS[kind][isRunning ? 'running' : 'stopped'])}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
