import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useWords } from '../text/section.ts';
import { uiText } from './ui-text.ts';

/** A text that people take elsewhere: an address, a hash. */
export function CopyText({ value, label, monospace = false }: { value: string; label?: string; monospace?: boolean }) {
  const t = useWords(uiText);
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Text size="sm" truncate {...(monospace && { ff: 'monospace' })} title={value}>
        {label ?? value}
      </Text>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('copied') : t('copy')}>
            <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`${t('copy')}: ${value}`}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
