import { Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PlayerRequest } from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { playersText } from './players-text.ts';

/** Seconds. */
const DURATIONS = { hour: 3_600, day: 86_400, week: 604_800 } as const;
const CHOICES = ['forever', 'hour', 'day', 'week'] as const;
type Choice = (typeof CHOICES)[number];

/** What vanilla's operators may do (minecraft.wiki, "Permission level"). */
const LEVELS = ['Default', '1', '2', '3', '4'] as const;
type Level = (typeof LEVELS)[number];

export interface PlayerDialogProps {
  /** An action that needs a confirmation. */
  request: PlayerRequest;
  /** The command of a running server takes no level. */
  mayChooseLevel: boolean;
  onClose: () => void;
  onConfirm: (request: PlayerRequest) => Promise<unknown>;
}

/** Asks before an action: for the reason of a kick or ban, the duration of a ban, or the level of an operator. */
export function PlayerDialog(props: PlayerDialogProps) {
  return props.request.action === 'op' ? <OperatorDialog {...props} /> : <RemovalDialog {...props} />;
}

function RemovalDialog({ request: { name, action }, onClose, onConfirm }: PlayerDialogProps) {
  const t = useWords(playersText);
  const [reason, setReason] = useState('');
  const [choice, setChoice] = useState<Choice>('forever');
  const isBan = action === 'ban';
  return (
    <Confirm
      opened
      onClose={onClose}
      title={t(isBan ? 'banTitle' : 'kickTitle', { name })}
      action={t(action)}
      onConfirm={() =>
        onConfirm({ name, action, reason, ...(choice !== 'forever' && { durationSeconds: DURATIONS[choice] }) })
      }
    >
      <Stack gap="xs">
        <Text size="sm">{t(isBan ? 'banWarning' : 'kickWarning')}</Text>
        <TextInput
          label={t('reason')}
          maxLength={200}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {isBan && (
          <Select
            label={t('duration')}
            data={CHOICES.map((value) => ({ value, label: t(value) }))}
            value={choice}
            onChange={(value) => value && setChoice(value)}
            allowDeselect={false}
          />
        )}
      </Stack>
    </Confirm>
  );
}

function OperatorDialog({ request: { name, action }, mayChooseLevel, onClose, onConfirm }: PlayerDialogProps) {
  const t = useWords(playersText);
  const [level, setLevel] = useState<Level>('Default');
  return (
    <Confirm
      opened
      onClose={onClose}
      title={t('opTitle', { name })}
      action={t(action)}
      onConfirm={() => onConfirm({ name, action, ...(level !== 'Default' && { level: Number(level) }) })}
    >
      <Stack gap="xs">
        <Text size="sm">{t(mayChooseLevel ? 'opWarning' : 'opDefaultLevel')}</Text>
        {mayChooseLevel && (
          <Select
            label={t('levelOf')}
            data={LEVELS.map((value) => ({ value, label: t(`level${value}`) }))}
            value={level}
            onChange={(value) => value && setLevel(value)}
            allowDeselect={false}
          />
        )}
      </Stack>
    </Confirm>
  );
}
