import '@xterm/xterm/css/xterm.css';
import './console.css';
import { Box, Button, VisuallyHidden } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import type { TabProps } from '../pages/server/tab-props.ts';
import { useWords } from '../text/section.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { CommandLine } from './command-line/CommandLine.tsx';
import { consoleText } from './console-text.ts';
import type { LogTail } from './log/log-tail.ts';
import { ConsoleToolbar } from './toolbar/ConsoleToolbar.tsx';
import { useConsole } from './use-console.ts';

export function ConsoleTab({ instance, session, software }: TabProps) {
  const t = useWords(consoleText);
  const live = useConsole(instance.id);
  return (
    <Box className="console">
      <ConsoleToolbar live={live} instance={instance} />
      <Box className="console-screen" role="region" aria-label={t('console', { name: instance.name })}>
        <div ref={live.element} className="console-terminal" data-state={live.state} />
        <Announcements tail={live.tail} />
        <VisuallyHidden component="div" aria-live="polite">
          {live.selectedByKeys !== undefined && t('selectedLines', { count: live.selectedByKeys })}
        </VisuallyHidden>
        {live.state === 'open' && live.empty && instance.status === 'stopped' && (
          <Box className="console-empty">
            <EmptyState picture="screen" title={t('emptyTitle')} brief>
              {t('empty')}
            </EmptyState>
          </Box>
        )}
        {!live.following && (
          <Button
            className="console-live"
            size="compact-sm"
            leftSection={<IconArrowDown size={14} />}
            onClick={() => live.terminal.current?.scrollToLive()}
          >
            {t('live')}
          </Button>
        )}
      </Box>
      <Box p="xs">
        <CommandLine
          instance={instance}
          mayType={session.role !== 'viewer'}
          history={live.history}
          suggests={software?.edition === 'java' && software.properties}
          onCover={(pixels) => live.terminal.current?.cover(pixels)}
          send={live.send}
        />
      </Box>
    </Box>
  );
}

/** The terminal's output for screen readers. xterm's own live region interrupts the reader, and stops after twenty lines. */
function Announcements({ tail }: { tail: LogTail }) {
  const t = useWords(consoleText);
  const lines = useSyncExternalStore(tail.subscribe, tail.announced);
  return (
    <VisuallyHidden component="div" role="log" aria-label={t('newest')}>
      {lines.map((line) => (
        <div key={line.seq}>{'text' in line ? line.text : t('skippedLines', { count: line.skipped })}</div>
      ))}
    </VisuallyHidden>
  );
}
