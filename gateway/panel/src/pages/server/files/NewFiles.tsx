import { Button, FileButton, Menu } from '@mantine/core';
import { IconFilePlus, IconFolderPlus, IconPlus, IconUpload } from '@tabler/icons-react';
import { useWords } from '../../../text/section.ts';
import { filesText } from './files-text.ts';
import type { Naming } from './NameDialog.tsx';
import type { ChosenFile } from './uploads/dropped-files.ts';

export interface NewFilesProps {
  onUpload: (files: readonly ChosenFile[]) => void;
  onName: (naming: Naming) => void;
}

/** Buttons that add something to a folder. */
export function NewFiles({ onUpload, onName }: NewFilesProps) {
  const t = useWords(filesText);
  return (
    <>
      <FileButton multiple onChange={(files) => onUpload(files.map((file) => ({ file, path: file.name })))}>
        {(props) => (
          <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
            {t('upload')}
          </Button>
        )}
      </FileButton>
      <Menu>
        <Menu.Target>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
            {t('new')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconFolderPlus size={16} aria-hidden />}
            onClick={() => onName({ kind: 'folder', name: '' })}
          >
            {t('newFolder')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFilePlus size={16} aria-hidden />}
            onClick={() => onName({ kind: 'file', name: '' })}
          >
            {t('newFile')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
