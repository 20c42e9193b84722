import { Checkbox, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { FileEntry, FileSort } from '../../../api/files.ts';
import { useWords } from '../../../text/section.ts';
import { FileRow, type FileRowProps } from './FileRow.tsx';
import { folderOf } from './file-path.ts';
import { filesText } from './files-text.ts';

interface FileTableProps extends Omit<FileRowProps, 'entry'> {
  entries: readonly FileEntry[];
  sort: { by: FileSort; descending: boolean };
  onSort: (sort: { by: FileSort; descending: boolean }) => void;
  focused: string | undefined;
}

/** Each row has one. The arrows move between them. */
const NAME = '[data-entry]';

/** What is in a folder. Keys: arrows, Home and End move; Enter opens; Backspace goes up; F2 renames; Delete deletes. */
export function FileTable(props: FileTableProps) {
  const { at, entries, sort, onSort, focused, onFolder, onAction, chosen, onChoose } = props;
  const t = useWords(filesText);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (focused !== undefined)
      body.current?.querySelector<HTMLElement>(`${NAME}[data-entry="${CSS.escape(focused)}"]`)?.focus();
  }, [focused]);

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const names = [...(body.current?.querySelectorAll<HTMLElement>(NAME) ?? [])];
    const current = names.indexOf(event.target as HTMLElement);
    if (current === -1) return;
    const moves: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      Home: 0,
      End: names.length - 1,
    };
    const next = moves[event.key];
    const name = names[current]!.dataset.entry!;
    if (next !== undefined) names[Math.min(names.length - 1, Math.max(0, next))]?.focus();
    else if (event.key === 'Backspace' && at.path !== '') onFolder(folderOf(at.path));
    else if (event.key === 'F2' && onAction) onAction('rename', name);
    else if (event.key === 'Delete' && onAction) onAction('delete', name);
    else return;
    event.preventDefault();
  };
  return (
    <Table verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          {onAction && (
            <Table.Th w={36}>
              <Checkbox
                size="xs"
                aria-label={t('chooseAll')}
                checked={chosen.size === entries.length}
                indeterminate={chosen.size > 0 && chosen.size < entries.length}
                onChange={(event) =>
                  onChoose(new Set(event.currentTarget.checked ? entries.map(({ name }) => name) : []))
                }
              />
            </Table.Th>
          )}
          <SortedBy by="name" sort={sort} onSort={onSort} />
          <SortedBy by="size" sort={sort} onSort={onSort} />
          <SortedBy by="modified" sort={sort} onSort={onSort} isExtra />
          <Table.Th w={52}>
            <VisuallyHidden>{t('actions')}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body} onKeyDown={press}>
        {entries.map((entry) => (
          <FileRow key={entry.name} {...props} entry={entry} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface SortedByProps extends Pick<FileTableProps, 'sort' | 'onSort'> {
  by: FileSort;
  /** Left out in narrow windows, for the names. */
  isExtra?: boolean;
}

function SortedBy({ by, sort, onSort, isExtra = false }: SortedByProps) {
  const t = useWords(filesText);
  const isChosen = sort.by === by;
  return (
    <Table.Th
      {...(isExtra && { visibleFrom: 'md' })}
      aria-sort={isChosen ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      {...(by !== 'name' && { w: by === 'size' ? 84 : 220 })}
    >
      <UnstyledButton fz="sm" fw={600} onClick={() => onSort({ by, descending: isChosen && !sort.descending })}>
        {t(by)}
        {isChosen && <span aria-hidden>{sort.descending ? ' ↓' : ' ↑'}</span>}
      </UnstyledButton>
    </Table.Th>
  );
}
