import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useWords } from '../../../text/section.ts';
import type { Conflict } from './edits.ts';
import { propertiesText } from './properties-text.ts';

export interface ConflictChoiceProps {
  conflicts: readonly Conflict[];
  onResolve: (conflict: Conflict, whose: 'mine' | 'theirs') => void;
}

/** Lets the user choose between the own and the other value of each property that someone else changed too. */
export function ConflictChoice({ conflicts, onResolve }: ConflictChoiceProps) {
  const t = useWords(propertiesText);
  return (
    <Alert color="warning" variant="light" title={t('conflictTitle')} role="alert">
      <Stack gap="xs">
        <Text size="sm">{t('conflict')}</Text>
        {conflicts.map((conflict) => (
          <Group key={conflict.key} gap="xs">
            <Code>{conflict.key}</Code>
            {(['mine', 'theirs'] as const).map((whose) => (
              <Button key={whose} size="compact-sm" variant="default" onClick={() => onResolve(conflict, whose)}>
                {t(whose, { value: conflict[whose] || t('emptyValue') })}
              </Button>
            ))}
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
