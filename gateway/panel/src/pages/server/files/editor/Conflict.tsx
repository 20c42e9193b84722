import { MergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { Button, Group, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type FilePlace, readContent } from '../../../../api/files.ts';
import { useWords } from '../../../../text/section.ts';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert.tsx';
import { filesText } from '../files-text.ts';
import { codeExtensions } from './code-view.ts';
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
          <Both name={at.path} theirs={theirs.data.text} mine={mine} onEdit={(text) => (edited.current = text)} />
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

interface BothProps {
  name: string;
  theirs: string;
  mine: string;
  onEdit: (text: string) => void;
}

function Both({ name, theirs, mine, onEdit }: BothProps) {
  const t = useWords(filesText);
  const isDark = useComputedColorScheme() === 'dark';
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ onEdit, labels: { theirs: t('theirs'), mine: t('mine'), wrong: t('syntax') } });
  useEffect(() => {
    const { labels } = latest.current;
    const common = { name, isDark, wrong: labels.wrong };
    const view = new MergeView({
      a: { doc: theirs, extensions: [codeExtensions({ ...common, label: labels.theirs, isReadOnly: true })] },
      b: {
        doc: mine,
        extensions: [
          codeExtensions({ ...common, label: labels.mine, isReadOnly: false }),
          EditorView.updateListener.of(({ state }) => latest.current.onEdit(state.doc.toString())),
        ],
      },
      parent: place.current!,
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => view.destroy();
  }, [name, theirs, mine, isDark]);
  return (
    <>
      <Group grow>
        <Text size="sm" fw={600}>
          {t('theirs')}
        </Text>
        <Text size="sm" fw={600}>
          {t('mine')}
        </Text>
      </Group>
      <div ref={place} style={{ maxHeight: '60vh', overflow: 'auto' }} />
    </>
  );
}
