import { Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PlayerAction } from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { playersText } from './players-text.ts';

const ACTIONS = ['ban', 'pardon', 'op', 'deop', 'whitelist', 'unwhitelist'] as const satisfies readonly PlayerAction[];

interface PlayerByNameProps {
  busy: boolean;
  onAction: (name: string, action: PlayerAction) => void;
}

export function PlayerByName({ busy, onAction }: PlayerByNameProps) {
  const t = useWords(playersText);
  const [name, setName] = useState('');
  const [action, setAction] = useState<PlayerAction>('whitelist');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') onAction(name.trim(), action);
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('byName')}
          description={t('byNameHint')}
          // Lines up with the fields after it.
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          flex="1 1 100%"
          maw={360}
        />
        <Select
          w={200}
          aria-label={t('actions')}
          data={ACTIONS.map((value) => ({ value, label: t(value) }))}
          value={action}
          onChange={(value) => value && setAction(value as PlayerAction)}
          allowDeselect={false}
        />
        <Button type="submit" variant="default" loading={busy} disabled={name.trim() === ''}>
          {t('apply')}
        </Button>
      </Group>
    </form>
  );
}
