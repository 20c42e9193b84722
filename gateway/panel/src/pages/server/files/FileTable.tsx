import { ActionIcon, Anchor, Group, Menu, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconDots, IconFile, IconFolder, IconLink } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { archiveUrl, contentUrl, type FileEntry, type FilePlace, type FileSort } from '../../../api/files.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { folderOf, pathIn } from './file-path.ts';
import { filesText } from './files-text.ts';

export type EntryAction = 'rename' | 'move' | 'copy' | 'delete';

export interface FileTableProps {
  at: FilePlace;
  entries: readonly FileEntry[];
  sort: { by: FileSort; descending: boolean };
  onSort: (sort: { by: FileSort; descending: boolean }) => void;
  focused: string | undefined;
  onFolder: (path: string) => void;
  onFile: (path: string) => void;
  /** Absent for those who may only read. */
  onAction: ((action: EntryAction, name: string) => void) | undefined;
}

const ICONS = { file: IconFile, folder: IconFolder, link: IconLink, other: IconFile };
/** Each row has one. The arrows move between them. */
const NAME = '[data-entry]';

/** What is in a folder. Keys: arrows, Home and End move; Enter opens; Backspace goes up; F2 renames; Delete deletes. */
export function FileTable(props: FileTableProps) {
  const { at, entries, sort, onSort, focused, onFolder, onAction } = props;
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
          <Row key={entry.name} {...props} entry={entry} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface SortedByProps extends Pick<FileTableProps, 'sort' | 'onSort'> {
  by: FileSort;
  /** Left out on phones. */
  isExtra?: boolean;
}

function SortedBy({ by, sort, onSort, isExtra = false }: SortedByProps) {
  const t = useWords(filesText);
  const isChosen = sort.by === by;
  return (
    <Table.Th
      {...(isExtra && { visibleFrom: 'sm' })}
      aria-sort={isChosen ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      {...(by !== 'name' && { w: by === 'size' ? 110 : 220 })}
    >
      <UnstyledButton fz="sm" fw={600} onClick={() => onSort({ by, descending: isChosen && !sort.descending })}>
        {t(by)}
        {isChosen && <span aria-hidden>{sort.descending ? ' ↓' : ' ↑'}</span>}
      </UnstyledButton>
    </Table.Th>
  );
}

function Row({ at, entry, onFolder, onFile, onAction }: FileTableProps & { entry: FileEntry }) {
  const t = useWords(filesText);
  const { size, exact } = useQuantities();
  const { name, kind, sizeBytes, modifiedAt } = entry;
  const path = pathIn(at.path, name);
  const Icon = ICONS[kind];
  const open = kind === 'folder' ? () => onFolder(path) : kind === 'file' ? () => onFile(path) : undefined;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
          <Icon size={18} aria-hidden style={{ flexShrink: 0 }} />
          {open ? (
            <Anchor
              component="button"
              size="sm"
              ta="left"
              data-entry={name}
              aria-label={t(kind === 'folder' ? 'openFolder' : 'openFile', { name })}
              style={{ overflowWrap: 'anywhere' }}
              onClick={open}
            >
              {name}
            </Anchor>
          ) : (
            <Text size="sm" data-entry={name} tabIndex={0} style={{ overflowWrap: 'anywhere' }}>
              {`${name} (${t(kind === 'link' ? 'link' : 'special')})`}
            </Text>
          )}
        </Group>
      </Table.Td>
      <Table.Td>{kind === 'file' && size(sizeBytes)}</Table.Td>
      <Table.Td visibleFrom="sm">{exact(modifiedAt)}</Table.Td>
      <Table.Td>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name })}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {kind === 'file' && (
              <Menu.Item component="a" href={contentUrl({ ...at, path })} download>
                {t('download')}
              </Menu.Item>
            )}
            {kind === 'folder' && onAction && (
              <Menu.Item component="a" href={archiveUrl({ ...at, path })} download>
                {t('downloadZip')}
              </Menu.Item>
            )}
            {onAction && (
              <>
                <Menu.Item onClick={() => onAction('rename', name)}>{t('rename')}</Menu.Item>
                <Menu.Item onClick={() => onAction('move', name)}>{t('move')}</Menu.Item>
                <Menu.Item onClick={() => onAction('copy', name)}>{t('copy')}</Menu.Item>
                <Menu.Item color="red" onClick={() => onAction('delete', name)}>
                  {t('delete')}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  );
}
