import { Group, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconHistory, IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { Instance } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { notifyInfo } from '../../ui/feedback/notify.tsx';
import { useToolbar } from '../../ui/toolbar/use-toolbar.ts';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { consoleText } from '../console-text.ts';
import type { LiveConsole } from '../use-console.ts';
import { CopyLog } from './CopyLog.tsx';
import { DownloadLog } from './DownloadLog.tsx';
import { LevelMenu } from './LevelMenu.tsx';
import { ShareLog } from './ShareLog.tsx';
import { ToolButton } from './ToolButton.tsx';

/** Hotkeys also work in input fields: the focus is nearly always in the command line or in the terminal. */
const IGNORED_TAGS: string[] = [];

/** The same with and without the search, so that the terminal keeps its rows. Pixels. */
const HEIGHT = 43;

export function ConsoleToolbar({ live, instance }: { live: LiveConsole; instance: Instance }) {
  const t = useWords(consoleText);
  // There is no space for the search and all buttons.
  const isPhone = useIsPhone();
  const [query, setQuery] = useState<string>();
  const hasSpace = query === undefined || !isPhone;
  const terminal = live.terminal;
  const toolbar = useToolbar();
  const find = (direction: 'next' | 'previous') => query && terminal.current?.searchOn(query, direction);
  const open = () => setQuery((before) => before ?? '');
  const close = () => {
    setQuery(undefined);
    terminal.current?.endSearch();
  };
  const jump = (direction: 'next' | 'previous') => {
    if (!terminal.current?.jumpToWarning(direction)) notifyInfo(t('noMoreWarnings'));
  };
  useHotkeys(
    [
      ['mod + F', open],
      ['F8', () => jump('previous')],
      ['shift + F8', () => jump('next')],
    ],
    IGNORED_TAGS,
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    // The search begins at the newest line.
    if (event.key === 'Enter') find(event.shiftKey ? 'next' : 'previous');
  };

  return (
    <Group
      {...toolbar}
      aria-label={t('tools')}
      gap={4}
      px="md"
      mih={HEIGHT}
      wrap="nowrap"
      style={{ borderBottom: '1px solid var(--hairline)' }}
    >
      {query === undefined ? (
        <ToolButton label={t('search')} icon={<IconSearch size={16} />} onClick={open} />
      ) : (
        <Group gap={4} wrap="nowrap" miw={0}>
          <TextInput
            size="xs"
            w={180}
            miw={90}
            autoFocus
            aria-label={t('searchLabel')}
            value={query}
            onChange={(event) => {
              const next = event.currentTarget.value;
              setQuery(next);
              if (next === '') terminal.current?.endSearch();
              else terminal.current?.search(next);
            }}
            onKeyDown={onKeyDown}
          />
          <Text size="xs" c="dimmed" miw={64} aria-live="polite">
            {query !== '' && live.search && (live.search.count === 0 ? t('none') : t('matches', { ...live.search }))}
          </Text>
          <ToolButton label={t('previous')} icon={<IconArrowUp size={16} />} onClick={() => find('previous')} />
          <ToolButton label={t('next')} icon={<IconArrowDown size={16} />} onClick={() => find('next')} />
          <ToolButton label={t('closeSearch')} icon={<IconX size={16} />} onClick={close} />
        </Group>
      )}
      {hasSpace && (
        <>
          <ToolButton
            label={t('previousWarning')}
            icon={<IconAlertTriangle size={16} />}
            onClick={() => jump('previous')}
          />
          <LevelMenu live={live} />
        </>
      )}
      <span style={{ flex: 1 }} />
      {hasSpace && <ToolButton label={t('all')} icon={<IconHistory size={16} />} onClick={live.loadAll} />}
      <CopyLog live={live} />
      {hasSpace && <ShareLog live={live} instance={instance} />}
      <DownloadLog live={live} instanceId={instance.id} />
    </Group>
  );
}
