import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import {
  type FilePlace,
  type FileSort,
  useFileChange,
  useFilesChanged,
  useFolder,
  writeContent,
} from '../../../api/files.ts';
import { useWords } from '../../../text/section.ts';
import { FolderWay } from '../../../ui/display/FolderWay.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { notifyProblem, notifyUndoable } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { ChosenEntries } from './ChosenEntries.tsx';
import type { EntryAction } from './FileRow.tsx';
import { FileTable } from './FileTable.tsx';
import { type FolderDialog, FolderToolbar } from './FolderToolbar.tsx';
import { pathIn } from './file-path.ts';
import { filesText } from './files-text.ts';
import { FindDialog } from './finding/FindDialog.tsx';
import { UsageDialog } from './finding/UsageDialog.tsx';
import { NameDialog, type Naming } from './NameDialog.tsx';
import { TrashDialog } from './TrashDialog.tsx';
import { DropTarget } from './uploads/DropTarget.tsx';
import type { ChosenFile } from './uploads/dropped-files.ts';
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
  const [dialog, setDialog] = useState<FolderDialog>();
  const closeDialog = () => setDialog(undefined);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const folder = useFolder(at, sort);
  const change = useFileChange(at.instanceId);
  const filesChanged = useFilesChanged(at.instanceId);
  const entries = folder.data?.pages.flatMap((page) => page.entries) ?? [];
  // Something may have vanished since.
  const chosen = new Set(entries.map(({ name }) => name).filter((name) => picked.has(name)));
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
    else if (action === 'unpack') change.mutateAsync({ kind: 'unpack', path: pathOf(name) }).catch(notifyProblem);
    else setNaming({ kind: action, name });
  };
  const named = async ({ kind, name }: Naming, typed: string) => {
    if (kind === 'folder') await change.mutateAsync({ kind, path: pathOf(typed) });
    else if (kind === 'file') await writeContent({ ...at, path: pathOf(typed) }, new Uint8Array(), undefined);
    else if (kind === 'rename') await change.mutateAsync({ kind: 'move', from: pathOf(name), to: pathOf(typed) });
    else if (kind === 'zip') {
      await change.mutateAsync({ kind, path: at.path, names: [...chosen], to: pathOf(typed) });
      setPicked(new Set());
    } else await change.mutateAsync({ kind, from: pathOf(name), to: typed });
    filesChanged();
    if (kind === 'file') onFile(pathOf(typed));
  };
  const upload = (files: readonly ChosenFile[]) => uploads.add(at, files, filesChanged);

  return (
    <DropTarget onFiles={mayWrite ? upload : undefined}>
      <Stack className="page-width" py="md">
        <Group justify="space-between">
          <FolderWay path={at.path} top={t('top')} label={t('way')} onOpen={onFolder} />
          <FolderToolbar at={at} mayWrite={mayWrite} onUpload={upload} onName={setNaming} onDialog={setDialog} />
        </Group>
        {!mayWrite && (
          <Alert color="gray" variant="light">
            {t('masked')}
          </Alert>
        )}
        <UploadList instanceId={at.instanceId} />
        {chosen.size > 0 && (
          <ChosenEntries
            count={chosen.size}
            onZip={() => setNaming({ kind: 'zip', name: `${chosen.size === 1 ? [...chosen][0] : 'files'}.zip` })}
            onNone={() => setPicked(new Set())}
          />
        )}
        {folder.isPending && [1, 2, 3].map((each) => <Skeleton key={each} h={36} />)}
        {folder.isError && <ProblemAlert error={folder.error} onRetry={() => void folder.refetch()} />}
        {folder.data && entries.length === 0 && (
          <EmptyState picture="box" title={t('empty')} brief>
            {mayWrite && t('dropHere')}
          </EmptyState>
        )}
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
            chosen={chosen}
            onChoose={setPicked}
          />
        )}
        {folder.hasNextPage && (
          <Button variant="default" loading={folder.isFetchingNextPage} onClick={() => void folder.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </Stack>
      {naming && <NameDialog naming={naming} at={at} onName={named} onClose={() => setNaming(undefined)} />}
      {dialog === 'trash' && <TrashDialog instanceId={at.instanceId} onClose={closeDialog} />}
      {dialog === 'find' && <FindDialog at={at} onFolder={onFolder} onFile={onFile} onClose={closeDialog} />}
      {dialog === 'usage' && <UsageDialog at={at} onClose={closeDialog} />}
    </DropTarget>
  );
}
