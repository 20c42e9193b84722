import { IconCopy } from '@tabler/icons-react';
import { useWords } from '../../text/section.ts';
import { copyText } from '../../ui/copy/copy-text.ts';
import { notifyDone } from '../../ui/feedback/notify.tsx';
import { consoleText } from '../console-text.ts';
import type { LiveConsole } from '../use-console.ts';
import { ToolButton } from './ToolButton.tsx';

/** Copies the selected text, or the displayed log if nothing is selected. */
export function CopyLog({ live: { terminal, selected } }: { live: LiveConsole }) {
  const t = useWords(consoleText);
  const copy = async () => {
    const text = terminal.current?.selection() ?? terminal.current?.lines.text() ?? '';
    notifyDone(t((await copyText(text)) ? 'copied' : 'notCopied'));
  };
  return (
    <ToolButton
      label={t(selected ? 'copySelection' : 'copy')}
      icon={<IconCopy size={16} />}
      onClick={() => void copy()}
    />
  );
}
