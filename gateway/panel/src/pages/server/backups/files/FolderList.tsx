import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconFile, IconFolder, IconLink } from '@tabler/icons-react';
import { type BackupFileEntry, type BackupPath, backupFileUrl, useBackupFolder } from '../../../../api/backup-files.ts';
import { useQuantities } from '../../../../text/quantities.ts';
import { useWords } from '../../../../text/section.ts';
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert.tsx';
import { FileRow } from './FileRow.tsx';
import { filesText } from './files-text.ts';

export interface FilesViewProps {
  /** The folder. */
  at: BackupPath;
  onOpen: (path: string) => void;
  onRestore: (path: string) => void;
}

const ICONS = { file: IconFile, folder: IconFolder, link: IconLink, other: IconFile };

export function FolderList({ at, onOpen, onRestore }: FilesViewProps) {
  const t = useWords(filesText);
  const folder = useBackupFolder(at);
  const entries = folder.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Stack gap="xs">
      {folder.isPending && [1, 2, 3].map((each) => <Skeleton key={each} h={36} />)}
      {folder.isError && <ProblemAlert error={folder.error} onRetry={() => void folder.refetch()} />}
      {folder.data && entries.length === 0 && <Text c="dimmed">{t('empty')}</Text>}
      <Stack component="ul" m={0} p={0} gap={4} style={{ listStyle: 'none' }}>
        {entries.map((entry) => (
          <Entry key={entry.name} entry={entry} at={at} onOpen={onOpen} onRestore={onRestore} />
        ))}
      </Stack>
      {folder.hasNextPage && (
        <Button variant="default" loading={folder.isFetchingNextPage} onClick={() => void folder.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}

function Entry({ entry, at, onOpen, onRestore }: FilesViewProps & { entry: BackupFileEntry }) {
  const t = useWords(filesText);
  const { size, exact } = useQuantities();
  const { name, kind, sizeBytes, modifiedAt } = entry;
  const path = at.path === '' ? name : `${at.path}/${name}`;
  const Icon = ICONS[kind];
  return (
    <FileRow name={name} onRestore={() => onRestore(path)}>
      <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
        <Icon size={16} aria-hidden style={{ flexShrink: 0 }} />
        {kind === 'folder' && (
          <Anchor
            component="button"
            size="sm"
            ta="left"
            aria-label={t('openFolder', { name })}
            onClick={() => onOpen(path)}
          >
            {name}
          </Anchor>
        )}
        {kind === 'file' && (
          <Anchor size="sm" href={backupFileUrl({ ...at, path })} download aria-label={t('download', { name })}>
            {name}
          </Anchor>
        )}
        {(kind === 'link' || kind === 'other') && <Text size="sm">{name}</Text>}
      </Group>
      <Text size="xs" c="dimmed">
        {kind === 'file' ? `${size(sizeBytes)} · ${exact(modifiedAt)}` : kind === 'link' && t('link')}
      </Text>
    </FileRow>
  );
}
