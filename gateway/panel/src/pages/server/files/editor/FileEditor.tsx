import { Box, Button, Group, Image, Pagination, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { contentUrl, type FilePlace } from '../../../../api/files.ts';
import { useQuantities } from '../../../../text/quantities.ts';
import { useWords } from '../../../../text/section.ts';
import { Loading } from '../../../../ui/feedback/Loading.tsx';
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert.tsx';
import { nameOf } from '../file-path.ts';
import { filesText } from '../files-text.ts';
import { TextEditor } from './TextEditor.tsx';
import { useFile } from './use-file.ts';

export interface FileEditorProps {
  at: FilePlace;
  mayWrite: boolean;
  onClose: () => void;
}

/** Shows a file: a text in an editor, an image, or how to get anything else. */
export function FileEditor({ at, mayWrite, onClose }: FileEditorProps) {
  const t = useWords(filesText);
  const { size } = useQuantities();
  const [page, setPage] = useState(0);
  const file = useFile(at, page);
  const name = nameOf(at.path);
  const close = (
    <Group justify="space-between">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {at.path}
      </Text>
      <Button variant="default" onClick={onClose}>
        {t('close')}
      </Button>
    </Group>
  );
  if (file.isPending) return <Loading />;
  if (file.isError)
    return (
      <Stack className="page-width" py="md">
        {close}
        <ProblemAlert error={file.error} onRetry={() => void file.refetch()} />
      </Stack>
    );
  const { data } = file;
  if (data.kind === 'text')
    return (
      <Stack className="server-tab page-width" py="md" gap="xs">
        <TextEditor key={page} at={at} file={data} mayWrite={mayWrite} onClose={onClose} />
        {data.page.count > 1 && (
          <Group>
            <Text size="sm" c="dimmed">
              {t('large')}
            </Text>
            <Pagination
              total={data.page.count}
              value={page + 1}
              onChange={(next) => setPage(next - 1)}
              getControlProps={(control) => ({ 'aria-label': t(control === 'next' ? 'nextPage' : 'previousPage') })}
            />
          </Group>
        )}
      </Stack>
    );
  return (
    <Stack className="page-width" py="md">
      {close}
      {data.kind === 'image' ? (
        <Image src={data.url} alt={name} fit="contain" maw={640} mah="60vh" style={{ imageRendering: 'pixelated' }} />
      ) : (
        <Text c="dimmed">{t('noText', { size: size(data.sizeBytes) })}</Text>
      )}
      <Box>
        <Button component="a" href={contentUrl(at)} download variant="default">
          {t('download')}
        </Button>
      </Box>
    </Stack>
  );
}
