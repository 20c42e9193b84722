import { ActionIcon, Anchor, Checkbox, Group, Menu, Table, Text } from '@mantine/core';
import { IconDots, IconFile, IconFolder, IconLink } from '@tabler/icons-react';
import { archiveUrl, contentUrl, type FileEntry, type FilePlace } from '../../../api/files.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { pathIn } from './file-path.ts';
import { filesText } from './files-text.ts';

const ICONS = { file: IconFile, folder: IconFolder, link: IconLink, other: IconFile };

export type EntryAction = 'rename' | 'move' | 'copy' | 'unpack' | 'delete';

export interface FileRowProps {
  at: FilePlace;
  entry: FileEntry;
  onFolder: (path: string) => void;
  onFile: (path: string) => void;
  /** Absent for those who may only read. */
  onAction: ((action: EntryAction, name: string) => void) | undefined;
  chosen: ReadonlySet<string>;
  onChoose: (names: ReadonlySet<string>) => void;
}

/** An entry of a folder, with what can be done with it. */
export function FileRow(props: FileRowProps) {
  const { at, entry, onFolder, onFile, onAction, chosen, onChoose } = props;
  const t = useWords(filesText);
  const { size, exact } = useQuantities();
  const { name, kind, sizeBytes, modifiedAt } = entry;
  const path = pathIn(at.path, name);
  const Icon = ICONS[kind];
  const open = kind === 'folder' ? () => onFolder(path) : kind === 'file' ? () => onFile(path) : undefined;
  return (
    <Table.Tr>
      {onAction && (
        <Table.Td>
          <Checkbox
            size="xs"
            aria-label={t('choose', { name })}
            checked={chosen.has(name)}
            onChange={(event) => {
              const next = new Set(chosen);
              if (event.currentTarget.checked) next.add(name);
              else next.delete(name);
              onChoose(next);
            }}
          />
        </Table.Td>
      )}
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
      <Table.Td visibleFrom="md">{exact(modifiedAt)}</Table.Td>
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
                {kind === 'file' && /\.zip$/i.test(name) && (
                  <Menu.Item onClick={() => onAction('unpack', name)}>{t('unpack')}</Menu.Item>
                )}
                <Menu.Item color="danger" onClick={() => onAction('delete', name)}>
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
