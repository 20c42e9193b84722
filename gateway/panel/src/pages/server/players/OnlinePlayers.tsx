import { Paper } from '@mantine/core';
import { usePlayers } from '../../../api/players.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { PlayerTable, type PlayerTableProps } from './PlayerTable.tsx';
import { playersText } from './players-text.ts';

interface OnlinePlayersProps extends Omit<PlayerTableProps, 'players'> {
  instance: Instance;
  /** The lists can be changed now. */
  mayChange: boolean;
}

/** Who is on the server, or why that is not shown. */
export function OnlinePlayers({ instance, mayChange, ...table }: OnlinePlayersProps) {
  const t = useWords(playersText);
  const { data, isError, error, refetch } = usePlayers(instance);
  const running = instance.status === 'running';
  return (
    <>
      {!running && (
        <EmptyState picture="players" title={t('offTitle')} brief>
          {t(mayChange ? 'offButEditable' : 'off')}
        </EmptyState>
      )}
      {isError && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {running && data?.length === 0 && (
        <EmptyState picture="players" title={t('emptyTitle')} brief>
          {t('empty')}
        </EmptyState>
      )}
      {running && data && data.length > 0 && (
        <Paper>
          <PlayerTable players={data} {...table} />
        </Paper>
      )}
    </>
  );
}
