import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { type FilePlace, readContent } from '../../../../api/files.ts';
import { useWords } from '../../../../text/section.ts';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert.tsx';
import { filesText } from '../files-text.ts';
import { BothTexts } from './BothTexts.tsx';
import { decodeText } from './text-format.ts';
import { MOST_EDITED_BYTES } from './use-file.ts';

export interface ConflictProps {
  at: FilePlace;
  mine: string;
  onKeep: (text: string, etag: string) => void;
  onTake: (text: string, etag: string) => void;
  onClose: () => void;
}

/** Shows what somebody else has written meanwhile beside one's own text, which can be edited there. */
export function Conflict({ at, mine, onKeep, onTake, onClose }: ConflictProps) {
  const t = useWords(filesText);
  const edited = useRef(mine);
  const theirs = useQuery({
    queryKey: ['file-now', at.instanceId, at.path],
    gcTime: 0,
    staleTime: 0,
    queryFn: async () => {
      const { bytes, etag } = await readContent(at, { start: 0, length: MOST_EDITED_BYTES });
      return { text: decodeText(bytes)?.text ?? '', etag };
    },
  });
  return (
    <Dialog opened onClose={onClose} size="90%" keepTyped title={t('conflictTitle')}>
      <Stack>
        <Text size="sm">{t('conflict')}</Text>
        {theirs.isError && <ProblemAlert error={theirs.error} onRetry={() => void theirs.refetch()} />}
        {theirs.data && (
          <BothTexts
            name={at.path}
            left={{ title: t('theirs'), text: theirs.data.text }}
            right={{ title: t('mine'), text: mine }}
            onEdit={(text) => {
              edited.current = text;
            }}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button
            variant="default"
            disabled={!theirs.data}
            onClick={() => theirs.data && onTake(theirs.data.text, theirs.data.etag)}
          >
            {t('takeTheirs')}
          </Button>
          <Button disabled={!theirs.data} onClick={() => theirs.data && onKeep(edited.current, theirs.data.etag)}>
            {t('keepMine')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
