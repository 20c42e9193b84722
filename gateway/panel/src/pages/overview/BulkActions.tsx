import { Button, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { type BulkAction, useBulkAction } from '../../api/bulk.ts';
import type { Instance } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { Confirm } from '../../ui/dialog/Confirm.tsx';
import { notifyProblem } from '../../ui/feedback/notify.tsx';
import { overviewText } from './overview-text.ts';

/** More would cover the page. */
const MOST_ERRORS = 3;
const ACTIONS = ['start', 'stop', 'restart', 'backup'] as const;

interface BulkActionsProps {
  selected: readonly Instance[];
  onSelectAll: () => void;
  onDone: () => void;
}

/** Does the same with all selected servers for which it makes sense. Asks before players are disconnected. */
export function BulkActions({ selected, onSelectAll, onDone }: BulkActionsProps) {
  const t = useWords(overviewText);
  const bulk = useBulkAction();
  const [asked, setAsked] = useState<'stop' | 'restart'>('stop');
  const [asking, setAsking] = useState(false);
  const run = async (action: BulkAction) => {
    const ids = targets(action, selected).map(({ id }) => id);
    const { errors } = await bulk.mutateAsync({ ids, action });
    for (const error of errors.slice(0, MOST_ERRORS)) notifyProblem(error);
  };
  const begin = (action: BulkAction) => {
    if (action === 'stop' || action === 'restart') {
      setAsked(action);
      setAsking(true);
    } else void run(action);
  };
  const affected = targets(asked, selected);
  const players = affected.reduce((sum, { playersOnline = 0 }) => sum + playersOnline, 0);
  return (
    <Paper p="sm" mb="md" className="bulk-actions">
      <Group gap="sm">
        <Text size="sm" fw={600} aria-live="polite">
          {t('selected', { count: selected.length })}
        </Text>
        <Button variant="default" size="compact-md" onClick={onSelectAll}>
          {t('selectAll')}
        </Button>
        {ACTIONS.map((action) => {
          const count = targets(action, selected).length;
          return (
            <Button
              key={action}
              variant="default"
              size="compact-md"
              disabled={count === 0 || bulk.isPending}
              onClick={() => begin(action)}
            >
              {t(action, { count })}
            </Button>
          );
        })}
        <Button variant="default" size="compact-md" ml="auto" onClick={onDone}>
          {t('done')}
        </Button>
      </Group>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t(`${asked}Title`, { count: affected.length })}
        action={t(asked, { count: affected.length })}
        onConfirm={() => run(asked)}
      >
        {players > 0 ? t('disconnects', { players }) : t('nobody')}
      </Confirm>
    </Paper>
  );
}

/** The selected servers that the action would change. */
function targets(action: BulkAction, selected: readonly Instance[]): Instance[] {
  if (action === 'backup') return [...selected];
  return selected.filter(({ status }) => (status === 'stopped') === (action === 'start'));
}
