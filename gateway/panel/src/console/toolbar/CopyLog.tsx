import { IconCopy } from '@tabler/icons-react';
import { useWords } from '../../text/section.ts';
import { consoleText } from '../console-text.ts';
import type { LiveConsole } from '../use-console.ts';
import { ToolButton } from './ToolButton.tsx';
import { useReportedCopy } from './use-reported-copy.ts';

/** Copies the selected text, or the displayed log if nothing is selected. */
export function CopyLog({ live: { terminal, selected } }: { live: LiveConsole }) {
  const t = useWords(consoleText);
  const copy = useReportedCopy();
  return (
    <ToolButton
      label={t(selected ? 'copySelection' : 'copy')}
      icon={<IconCopy size={16} />}
      onClick={() => void copy(terminal.current?.selection() ?? terminal.current?.lines.text() ?? '')}
    />
  );
}
