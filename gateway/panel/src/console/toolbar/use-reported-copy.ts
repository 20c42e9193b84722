import { useWords } from '../../text/section.ts';
import { copyText } from '../../ui/copy/copy-text.ts';
import { notifyDone, notifyFailure } from '../../ui/feedback/notify.tsx';
import { consoleText } from '../console-text.ts';

/** Returns a function that copies a text to the clipboard and reports whether the browser allowed it. */
export function useReportedCopy(): (text: string) => Promise<void> {
  const t = useWords(consoleText);
  return async (text) => {
    if (await copyText(text)) notifyDone(t('copied'));
    else notifyFailure(t('notCopied'));
  };
}
