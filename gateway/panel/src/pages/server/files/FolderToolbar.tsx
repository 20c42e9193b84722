import { Button, Group } from '@mantine/core';
import { IconChartBar, IconSearch, IconTrash } from '@tabler/icons-react';
import { archiveUrl, type FilePlace } from '../../../api/files.ts';
import { useWords } from '../../../text/section.ts';
import { filesText } from './files-text.ts';
import { findingText } from './finding/finding-text.ts';
import { NewFiles, type NewFilesProps } from './NewFiles.tsx';

export type FolderDialog = 'trash' | 'find' | 'usage';

interface FolderToolbarProps extends NewFilesProps {
  at: FilePlace;
  mayWrite: boolean;
  onDialog: (dialog: FolderDialog) => void;
}

/** What can be done with a folder as a whole. */
export function FolderToolbar({ at, mayWrite, onDialog, ...newFiles }: FolderToolbarProps) {
  const t = useWords(filesText);
  const f = useWords(findingText);
  return (
    <Group gap="xs">
      {mayWrite && <NewFiles {...newFiles} />}
      <Button
        variant="default"
        size="sm"
        leftSection={<IconSearch size={16} aria-hidden />}
        onClick={() => onDialog('find')}
      >
        {f('find')}
      </Button>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconChartBar size={16} aria-hidden />}
        onClick={() => onDialog('usage')}
      >
        {f('usage')}
      </Button>
      {mayWrite && (
        <>
          <Button variant="default" size="sm" component="a" href={archiveUrl(at)} download>
            {t('downloadAll')}
          </Button>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => onDialog('trash')}
          >
            {t('trash')}
          </Button>
        </>
      )}
    </Group>
  );
}
