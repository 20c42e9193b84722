import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';
import { useCopy } from './use-copy.ts';

export function CopyButton({ text }: { text: string }) {
  const t = useWords(uiText);
  const { copied, copy } = useCopy();
  return (
    <Button
      variant="default"
      onClick={() => copy(text)}
      leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
    >
      {copied ? t('copied') : t('copy')}
    </Button>
  );
}
