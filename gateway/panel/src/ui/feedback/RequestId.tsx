import { Button, Code } from '@mantine/core';
import { useWords } from '../../text/section.ts';
import { useCopy } from '../copy/use-copy.ts';
import { uiText } from '../ui-text.ts';

/** The id that identifies a request in the daemon's logs; a click copies it. */
export function RequestId({ id }: { id: string }) {
  const t = useWords(uiText);
  const { copied, copy } = useCopy();
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      onClick={() => copy(id)}
      aria-label={t('copyRequestId')}
      title={t('copyRequestId')}
    >
      <Code>{copied ? t('copied') : id}</Code>
    </Button>
  );
}
