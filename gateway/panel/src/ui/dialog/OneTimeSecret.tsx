import { Alert, Button, Code, Group, Stack } from '@mantine/core';
import { useWords } from '../../text/section.ts';
import { CopyButton } from '../copy/CopyButton.tsx';
import { uiText } from '../ui-text.ts';

export interface OneTimeSecretProps {
  label: string;
  secret: string;
  explanation: string;
  onClose: () => void;
}

export function OneTimeSecret({ label, secret, explanation, onClose }: OneTimeSecretProps) {
  const t = useWords(uiText);
  return (
    <Stack>
      <Alert color="warning" variant="light">
        {explanation}
      </Alert>
      <Code block aria-label={label} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton text={secret} />
        <Button onClick={onClose}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
