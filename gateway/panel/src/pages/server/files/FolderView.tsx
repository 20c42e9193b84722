import { Alert, Box, Button, FileButton, Group, Menu, Skeleton, Stack, Text } from '@mantine/core';
import { IconFilePlus, IconFolderPlus, IconPlus, IconTrash, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import {
  archiveUrl,
  type FilePlace,
  type FileSort,
  useFileChange,
  useFilesChanged,
  useFolder,
  writeContent,
} from '../../../api/files.ts';
import { useWords } from '../../../text/section.ts';
import { FolderWay } from '../../../ui/display/FolderWay.tsx';
import { notifyProblem, notifyUndoable } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { type EntryAction, FileTable } from './FileTable.tsx';
import { pathIn } from './file-path.ts';
import { filesText } from './files-text.ts';
import { NameDialog, type Naming } from './NameDialog.tsx';
import { TrashDialog } from './TrashDialog.tsx';
import { type ChosenFile, droppedFiles } from './uploads/dropped-files.ts';
import { UploadList } from './uploads/UploadList.tsx';
import { uploads } from './uploads/upload-queue.ts';

export interface FolderViewProps {
  at: FilePlace;
  mayWrite: boolean;
  /** The name that gets the focus, after its folder or file was closed. */
  focused: string | undefined;
  onFolder: (path: string) => void;
  onFile: (path: string) => void;
}

export function FolderView({ at, mayWrite, focused, onFolder, onFile }: FolderViewProps) {
  const t = useWords(filesText);
  const [sort, setSort] = useState<{ by: FileSort; descending: boolean }>({ by: 'name', descending: false });
  const [naming, setNaming] = useState<Naming>();
  const [showsTrash, setShowsTrash] = useState(false);
  const [isTarget, setIsTarget] = useState(false);
  const folder = useFolder(at, sort);
  const change = useFileChange(at.instanceId);
  const filesChanged = useFilesChanged(at.instanceId);
  const entries = folder.data?.pages.flatMap((page) => page.entries) ?? [];
  const pathOf = (name: string) => pathIn(at.path, name);

  const remove = async (name: string) => {
    const trashId = await change.mutateAsync({ kind: 'delete', path: pathOf(name) });
    if (trashId === undefined) return;
    notifyUndoable(
      t('deleted', { name }),
      () => void change.mutateAsync({ kind: 'restore', trashId }).catch(notifyProblem),
    );
  };
  const act = (action: EntryAction, name: string) => {
    if (action === 'delete') remove(name).catch(notifyProblem);
    else setNaming({ kind: action, name });
  };
  const named = async ({ kind, name }: Naming, typed: string) => {
    if (kind === 'folder') await change.mutateAsync({ kind, path: pathOf(typed) });
    else if (kind === 'file') await writeContent({ ...at, path: pathOf(typed) }, new Uint8Array(), undefined);
    else if (kind === 'rename') await change.mutateAsync({ kind: 'move', from: pathOf(name), to: pathOf(typed) });
    else await change.mutateAsync({ kind, from: pathOf(name), to: typed });
    filesChanged();
    if (kind === 'file') onFile(pathOf(typed));
  };
  const upload = (files: readonly ChosenFile[]) => uploads.add(at, files, filesChanged);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsTarget(false);
    droppedFiles(event.dataTransfer).then(upload).catch(notifyProblem);
  };

  return (
    <Box
      p="md"
      style={{
        flex: 1,
        overflow: 'auto',
        ...(isTarget && { outline: '2px dashed var(--mantine-primary-color-filled)' }),
      }}
      {...(mayWrite && {
        onDragOver: (event: DragEvent) => {
          event.preventDefault();
          setIsTarget(true);
        },
        onDragLeave: () => setIsTarget(false),
        onDrop: drop,
      })}
    >
      <Stack>
        <Group justify="space-between">
          <FolderWay path={at.path} top={t('top')} label={t('way')} onOpen={onFolder} />
          <Group gap="xs">
            {mayWrite && <Actions onUpload={upload} onName={setNaming} />}
            {mayWrite && (
              <Button variant="default" size="sm" component="a" href={archiveUrl(at)} download>
                {t('downloadAll')}
              </Button>
            )}
            {mayWrite && (
              <Button
                variant="default"
                size="sm"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => setShowsTrash(true)}
              >
                {t('trash')}
              </Button>
            )}
          </Group>
        </Group>
        {!mayWrite && (
          <Alert color="gray" variant="light">
            {t('masked')}
          </Alert>
        )}
        <UploadList instanceId={at.instanceId} />
        {folder.isPending && [1, 2, 3].map((each) => <Skeleton key={each} h={36} />)}
        {folder.isError && <ProblemAlert error={folder.error} onRetry={() => void folder.refetch()} />}
        {folder.data && entries.length === 0 && <Text c="dimmed">{t(mayWrite ? 'emptyWritable' : 'empty')}</Text>}
        {entries.length > 0 && (
          <FileTable
            at={at}
            entries={entries}
            sort={sort}
            onSort={setSort}
            focused={focused}
            onFolder={onFolder}
            onFile={onFile}
            onAction={mayWrite ? act : undefined}
          />
        )}
        {folder.hasNextPage && (
          <Button variant="default" loading={folder.isFetchingNextPage} onClick={() => void folder.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </Stack>
      {naming && <NameDialog naming={naming} at={at} onName={named} onClose={() => setNaming(undefined)} />}
      {showsTrash && <TrashDialog instanceId={at.instanceId} onClose={() => setShowsTrash(false)} />}
    </Box>
  );
}

interface ActionsProps {
  onUpload: (files: readonly ChosenFile[]) => void;
  onName: (naming: Naming) => void;
}

function Actions({ onUpload, onName }: ActionsProps) {
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
