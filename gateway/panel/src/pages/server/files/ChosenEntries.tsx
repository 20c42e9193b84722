import { Button, Group, Text } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import { useWords } from '../../../text/section.ts';
import { filesText } from './files-text.ts';

interface ChosenEntriesProps {
  count: number;
  onZip: () => void;
  onNone: () => void;
}

/** What can be done with the chosen files and folders. */
export function ChosenEntries({ count, onZip, onNone }: ChosenEntriesProps) {
  const t = useWords(filesText);
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        {t('chosen', { count })}
      </Text>
      <Button variant="default" size="sm" leftSection={<IconFileZip size={16} aria-hidden />} onClick={onZip}>
        {t('createZip')}
      </Button>
      <Button variant="subtle" color="gray" size="sm" onClick={onNone}>
        {t('chooseNone')}
      </Button>
    </Group>
  );
}
