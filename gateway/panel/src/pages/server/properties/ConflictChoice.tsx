import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useWords } from '../../../text/section.ts';
import type { Conflict } from './edits.ts';
import { propertiesText } from './properties-text.ts';

export interface ConflictChoiceProps {
  conflicts: readonly Conflict[];
  onSettle: (conflict: Conflict, whose: 'mine' | 'theirs') => void;
}

/** Both values of each property that two people have changed, and a choice between them. */
export function ConflictChoice({ conflicts, onSettle }: ConflictChoiceProps) {
  const t = useWords(propertiesText);
  return (
    <Alert color="yellow" variant="light" title={t('conflictTitle')} role="alert">
      <Stack gap="xs">
        <Text size="sm">{t('conflict')}</Text>
        {conflicts.map((conflict) => (
          <Group key={conflict.key} gap="xs">
            <Code>{conflict.key}</Code>
            {(['mine', 'theirs'] as const).map((whose) => (
              <Button key={whose} size="compact-sm" variant="default" onClick={() => onSettle(conflict, whose)}>
                {t(whose, { value: conflict[whose] || t('nothingThere') })}
              </Button>
            ))}
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
