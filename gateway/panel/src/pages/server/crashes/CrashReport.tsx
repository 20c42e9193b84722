import { Button, Code, Group, Paper, Text, Title } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { useCopy } from '../../../ui/copy/use-copy.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { crashesText } from './crashes-text.ts';
import { exceptionLine } from './exception-line.ts';

/** When and why the server crashed, with its last output. The newest report is open. */
export function CrashReport({ crash, isNewest }: { crash: Schemas['CrashReport']; isNewest: boolean }) {
  const t = useWords(crashesText);
  const { copied, copy } = useCopy();
  const { at, reason, exitCode, signal, lines } = crash;
  const details = [
    exitCode === null ? undefined : t('exitCode', { code: exitCode }),
    signal === null ? undefined : t('signal', { signal }),
  ].filter((detail) => detail !== undefined);
  const report = [[at, ...details].join(' · '), reason, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n');
  return (
    <Paper p="md" component="li">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={2} size="h3">
          <RelativeTime at={at} fw={650} />{' '}
          <Text span size="sm" c="dimmed">
            {details.join(' · ')}
          </Text>
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={() => copy(report)}
        >
          {t('copy')}
        </Button>
      </Group>
      <Text size="sm" mt={4} lang="en" style={{ overflowWrap: 'anywhere' }}>
        {reason}
      </Text>
      {lines.length > 0 && <Output lines={lines} isOpen={isNewest} />}
    </Paper>
  );
}

/** Opens at the exception, which frames of its stack trace and later output may have pushed out of sight. */
function Output({ lines, isOpen }: { lines: readonly string[]; isOpen: boolean }) {
  const t = useWords(crashesText);
  const exception = useRef<HTMLSpanElement>(null);
  const found = exceptionLine(lines);
  const showException = ({ open }: HTMLDetailsElement) => {
    const line = exception.current;
    if (open && line?.parentElement) line.parentElement.scrollTop = line.offsetTop - line.offsetHeight;
  };
  return (
    <details open={isOpen} onToggle={(event) => showException(event.currentTarget)}>
      <summary>{t('lastLines')}</summary>
      <Code block tabIndex={0} mt="xs" className="crash-output">
        {lines.map((line, index) => (
          <span key={index} {...(index === found && { ref: exception, 'data-exception': true })}>
            {line}
            {'\n'}
          </span>
        ))}
      </Code>
    </details>
  );
}
