import { VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useWords } from '../../text/section.ts';
import { consoleText } from '../console-text.ts';
import type { LogTail } from './log-tail.ts';

/** The terminal's output for screen readers. xterm's own live region interrupts the reader, and stops after twenty lines. */
export function NewestLines({ tail }: { tail: LogTail }) {
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
