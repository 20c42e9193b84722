import { Box, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  ACTIONS_WITH_REASON,
  type PlayerAction,
  type PlayerRequest,
  usePlayerAction,
  usePlayers,
} from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { notifyDone, notifyProblem } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { PlayerByName } from './PlayerByName.tsx';
import { PlayerLists } from './PlayerLists.tsx';
import { PlayerTable } from './PlayerTable.tsx';
import { playersText } from './players-text.ts';

export function PlayersTab({ instance, session, software }: TabProps) {
  const t = useWords(playersText);
  const players = usePlayers(instance);
  const act = usePlayerAction(instance.id);
  const [confirming, setConfirming] = useState<PlayerRequest>();
  const [reason, setReason] = useState('');
  const mayAct = session.role !== 'viewer';
  const running = instance.status === 'running';

  const run = (request: PlayerRequest) => act.mutateAsync(request).then(({ message }) => notifyDone(message));
  const start = (name: string, action: PlayerAction) => {
    setReason('');
    if (ACTIONS_WITH_REASON.includes(action)) setConfirming({ name, action });
    else run({ name, action }).catch(notifyProblem);
  };

  return (
    <Box p="md">
      <Stack>
        {!running && (
          <EmptyState picture="players" title={t('offTitle')} brief>
            {t('off')}
          </EmptyState>
        )}
        {players.isError && <ProblemAlert error={players.error} onRetry={() => void players.refetch()} />}
        {running && players.data?.length === 0 && (
          <EmptyState picture="players" title={t('emptyTitle')} brief>
            {t('empty')}
          </EmptyState>
        )}
        {running && players.data && players.data.length > 0 && (
          <Paper>
            <PlayerTable players={players.data} mayAct={mayAct} onAction={start} />
          </Paper>
        )}
        {running && mayAct && <PlayerByName onAction={start} busy={act.isPending} />}
        <PlayerLists
          instanceId={instance.id}
          lists={software?.playerLists ?? []}
          {...(running && mayAct && { onAction: start })}
        />
      </Stack>
      <Confirm
        opened={confirming !== undefined}
        onClose={() => setConfirming(undefined)}
        title={confirming ? t(confirming.action === 'ban' ? 'banTitle' : 'kickTitle', { name: confirming.name }) : ''}
        action={confirming ? t(confirming.action) : ''}
        onConfirm={async () => {
          if (confirming) await run({ ...confirming, reason });
        }}
      >
        <Stack gap="xs">
          <Text size="sm">{t(confirming?.action === 'ban' ? 'banWarning' : 'kickWarning')}</Text>
          <TextInput
            label={t('reason')}
            maxLength={256}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Stack>
      </Confirm>
    </Box>
  );
}
