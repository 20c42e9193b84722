import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';
import { useCopy } from './use-copy.ts';

export function CopyText({ value, label, monospace = false }: { value: string; label?: string; monospace?: boolean }) {
  const t = useWords(uiText);
  const { copied, copy } = useCopy();
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Text size="sm" truncate {...(monospace && { ff: 'monospace' })} title={value}>
        {label ?? value}
      </Text>
      <Tooltip label={copied ? t('copied') : t('copy')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          onClick={() => copy(value)}
          aria-label={`${t('copy')}: ${value}`}
        >
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
