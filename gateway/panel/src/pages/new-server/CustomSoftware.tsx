import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { useWords } from '../../text/section.ts';
import { CopyButton } from '../../ui/copy/CopyButton.tsx';
import { newServerText } from './new-server-text.ts';

const COMMAND =
  'npx gamekeeper create --software custom --name Survival --directory ./survival -- java -jar server.jar nogui';

/** Explains how to create a server with custom software. Through a hosted proxy nobody can choose which program runs. */
export function CustomSoftware() {
  const t = useWords(newServerText);
  return (
    <Alert color="gray" variant="light" icon={<IconTerminal2 size={18} aria-hidden />}>
      <Stack gap="xs">
        <Text size="sm">{t('customReason')}</Text>
        <Code block aria-label={t('launch')} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {COMMAND}
        </Code>
        <Text size="sm">{t('customResult')}</Text>
        <Group justify="flex-end">
          <CopyButton text={COMMAND} />
        </Group>
      </Stack>
    </Alert>
  );
}
