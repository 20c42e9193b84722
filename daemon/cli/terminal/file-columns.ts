import { shownName } from '../../../shared/node/files/file-name.ts';
import type { FileEntry } from '../../../shared/schema/files.ts';
import { formatBytes, formatTime } from './quantities.ts';
import type { Column } from './table.ts';

/** The table of a folder. */
export const FILE_COLUMNS: readonly Column<FileEntry>[] = [
  { title: 'NAME', cell: ({ name, kind }) => (kind === 'folder' ? `${shownName(name)}/` : shownName(name)) },
  { title: 'SIZE', cell: ({ kind, sizeBytes }) => (kind === 'file' ? formatBytes(sizeBytes) : kind), align: 'right' },
  { title: 'CHANGED', cell: ({ modifiedAt }) => formatTime(modifiedAt) },
];
