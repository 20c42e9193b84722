import { VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useWords } from '../../text/section.ts';
import { consoleText } from '../console-text.ts';
import type { LogTail } from './log-tail.ts';

/**
 * What the terminal shows, for who listens: xterm's own words for screen readers interrupt whatever is being said, and end after twenty
 * lines.
 */
export function NewestLines({ tail }: { tail: LogTail }) {
  const t = useWords(consoleText);
  const lines = useSyncExternalStore(tail.subscribe, tail.heard);
  return (
    <VisuallyHidden component="div" role="log" aria-label={t('newest')}>
      {lines.map((line) => (
        <div key={line.seq}>{'text' in line ? line.text : t('leftOut', { count: line.leftOut })}</div>
      ))}
    </VisuallyHidden>
  );
}
