import { Alert, Button, Code, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useWords } from '../text/section.ts';
import { uiText } from './ui-text.ts';
import { useCopy } from './use-copy.ts';

export interface ShownOnceProps {
  label: string;
  secret: string;
  /** That it will not be seen again. */
  explanation: string;
  onClose: () => void;
}

/** A secret that has just been made. */
export function ShownOnce({ label, secret, explanation, onClose }: ShownOnceProps) {
  const t = useWords(uiText);
  const { copied, copy } = useCopy();
  return (
    <Stack>
      <Alert color="yellow" variant="light">
        {explanation}
      </Alert>
      <Code block aria-label={label} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {secret}
      </Code>
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={() => copy(secret)}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        >
          {copied ? t('copied') : t('copy')}
        </Button>
        <Button onClick={onClose}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
