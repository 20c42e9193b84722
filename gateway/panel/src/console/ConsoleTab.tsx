import '@xterm/xterm/css/xterm.css';
import './console.css';
import { Box, Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import type { TabProps } from '../pages/server/tab-props.ts';
import { useWords } from '../text/section.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { CommandLine } from './command-line/CommandLine.tsx';
import { consoleText } from './console-text.ts';
import { NewestLines } from './log/NewestLines.tsx';
import { ConsoleToolbar } from './toolbar/ConsoleToolbar.tsx';
import { useConsole } from './use-console.ts';

export function ConsoleTab({ instance, session }: TabProps) {
  const t = useWords(consoleText);
  const live = useConsole(instance.id);
  return (
    <Box className="console">
      <ConsoleToolbar live={live} instanceId={instance.id} />
      <Box className="console-screen" role="region" aria-label={t('console', { name: instance.name })}>
        <div ref={live.element} className="console-terminal" data-state={live.state} />
        <NewestLines tail={live.tail} />
        {live.state === 'open' && live.empty && instance.status === 'stopped' && (
          <Box className="console-empty">
            <EmptyState title={t('emptyTitle')} brief>
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
        <CommandLine instance={instance} mayType={session.role !== 'viewer'} send={live.send} />
      </Box>
    </Box>
  );
}
