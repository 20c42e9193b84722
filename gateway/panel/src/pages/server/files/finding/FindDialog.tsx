import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FileMatch, type FilePlace, useFileSearch } from '../../../../api/files.ts';
import { useWords } from '../../../../text/section.ts';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert.tsx';
import { useIsPhone } from '../../../../ui/use-is-phone.ts';
import { findingText } from './finding-text.ts';

export interface FindDialogProps {
  /** The folder to search. */
  at: FilePlace;
  onFolder: (path: string) => void;
  onFile: (path: string) => void;
  onClose: () => void;
}

/** Searches a folder, and what is below it, by name and by content. */
export function FindDialog({ at, onFolder, onFile, onClose }: FindDialogProps) {
  const t = useWords(findingText);
  const isPhone = useIsPhone();
  const search = useFileSearch(at);
  const [name, setName] = useState('');
  const [contains, setContains] = useState('');
  const isReady = name !== '' || contains !== '';
  return (
    <Dialog opened keepTyped onClose={onClose} size="lg" fullScreen={isPhone} title={t('findTitle')}>
      <Stack>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) search.mutate({ name, contains });
          }}
        >
          <Stack>
            <TextInput
              label={t('name')}
              description={t('nameHint')}
              value={name}
              maxLength={255}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <TextInput
              label={t('contains')}
              description={t('containsHint')}
              value={contains}
              maxLength={200}
              onChange={(event) => setContains(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button type="submit" loading={search.isPending} disabled={!isReady}>
                {t('find')}
              </Button>
            </Group>
          </Stack>
        </form>
        {search.isError && <ProblemAlert error={search.error} />}
        {search.data?.matches.length === 0 && <Text role="status">{t('nothing')}</Text>}
        <Stack component="ul" m={0} p={0} gap="xs" style={{ listStyle: 'none' }}>
          {search.data?.matches.map((match) => (
            <Match key={match.path} match={match} onOpen={match.kind === 'folder' ? onFolder : onFile} />
          ))}
        </Stack>
        {search.data?.stoppedBy && (
          <Text size="sm" c="dimmed">
            {t('more')}
          </Text>
        )}
      </Stack>
    </Dialog>
  );
}

function Match({ match, onOpen }: { match: FileMatch; onOpen: (path: string) => void }) {
  const t = useWords(findingText);
  const { path, kind, lines = [] } = match;
  const canOpen = kind === 'file' || kind === 'folder';
  return (
    <li style={{ overflowWrap: 'anywhere' }}>
      {canOpen ? (
        <Anchor component="button" size="sm" ta="left" onClick={() => onOpen(path)}>
          {path}
        </Anchor>
      ) : (
        <Text size="sm">{path}</Text>
      )}
      {lines.map(({ number, text }) => (
        <Text key={number} size="xs" ff="monospace">
          <Text span size="xs" c="dimmed">
            {t('line', { number })}
          </Text>{' '}
          {text}
        </Text>
      ))}
    </li>
  );
}
