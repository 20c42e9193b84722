import { ActionIcon, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useQuantities } from '../../../../text/quantities.ts';
import { useWords } from '../../../../text/section.ts';
import { useProblem } from '../../../../ui/feedback/use-problem.ts';
import { nameOf } from '../file-path.ts';
import { filesText } from '../files-text.ts';
import { type FileUpload, uploads } from './upload-queue.ts';

/** The uploads to a server, with their progress. */
export function UploadList({ instanceId }: { instanceId: string }) {
  const t = useWords(filesText);
  const all = useSyncExternalStore(uploads.subscribe, uploads.snapshot);
  const here = all.filter((each) => each.instanceId === instanceId);
  if (here.length === 0) return null;
  return (
    <Paper p="sm" component="section" aria-label={t('uploads')}>
      <Stack gap="xs">
        {here.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
        {here.some(({ state }) => state !== 'done') && (
          <Text size="xs" c="dimmed">
            {t('uploadHint')}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function UploadRow({ upload }: { upload: FileUpload }) {
  const t = useWords(filesText);
  const { size } = useQuantities();
  const { id, path, sizeBytes, sentBytes, state, problem } = upload;
  const name = nameOf(path);
  const percent = sizeBytes === 0 ? (state === 'done' ? 100 : 0) : (sentBytes / sizeBytes) * 100;
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {path}
        </Text>
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed" role="status">
            {state === 'sending' ? `${size(sentBytes)} / ${size(sizeBytes)}` : t(`upload-${state}`)}
          </Text>
          {state === 'sending' && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('pause', { name })}
              onClick={() => uploads.pause(id)}
            >
              <IconPlayerPause size={16} />
            </ActionIcon>
          )}
          {(state === 'paused' || state === 'failed') && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('resume', { name })}
              onClick={() => uploads.resume(id)}
            >
              <IconPlayerPlay size={16} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t(state === 'done' ? 'hide' : 'cancelUpload', { name })}
            onClick={() => uploads.remove(id)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      </Group>
      {state !== 'done' && <Progress value={percent} aria-label={t('progressOf', { name })} />}
      {state === 'exists' && (
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => uploads.resume(id, { replaces: true })}>
            {t('replace')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => uploads.keepBoth(id)}>
            {t('keepBoth')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => uploads.remove(id)}>
            {t('skip')}
          </Button>
        </Group>
      )}
      {state === 'failed' && problem && <Reason problem={problem} />}
    </Stack>
  );
}

function Reason({ problem }: { problem: NonNullable<FileUpload['problem']> }) {
  const { message, resolution, detail, detailLanguage } = useProblem(problem);
  return (
    <Text size="sm" c="danger" role="alert">
      {resolution ? `${message} ${resolution}` : message}
      {detail && <span lang={detailLanguage}> {detail}</span>}
    </Text>
  );
}
