import { Box, Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACTIONS_WITH_DETAILS, type PlayerAction, type PlayerRequest, usePlayers } from '../../../api/players.ts';
import { propertiesQuery } from '../../../api/properties.ts';
import { isLocalAdmin } from '../../../api/roles.ts';
import { useWords } from '../../../text/section.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { useAddressPart } from '../../../ui/use-address-part.ts';
import type { TabProps } from '../tab-props.ts';
import { hasEditableLists, levelGivenWith, undoOf } from './actions-on-player.ts';
import { PlayerByName } from './PlayerByName.tsx';
import { PlayerDialog } from './PlayerDialog.tsx';
import { PlayerDrawer } from './PlayerDrawer.tsx';
import { PlayerLists } from './PlayerLists.tsx';
import { PlayerTable } from './PlayerTable.tsx';
import { usePlayerStates } from './player-state.ts';
import { playersText } from './players-text.ts';
import { SeenPlayers } from './SeenPlayers.tsx';
import { SkinsSwitch } from './SkinsSwitch.tsx';
import { useReportedAction } from './use-reported-action.ts';

/** Who is and was on the server, and its lists. The address names the player who is shown. */
export function PlayersTab({ instance, session, software }: TabProps) {
  const t = useWords(playersText);
  const players = usePlayers(instance);
  const lists = software?.playerLists ?? [];
  const { stateOf, isLoading } = usePlayerStates(instance, lists);
  const act = useReportedAction(instance.id);
  const [confirming, setConfirming] = useState<PlayerRequest>();
  const shown = useAddressPart('player');
  const mayAct = session.role !== 'viewer';
  const running = instance.status === 'running';
  // While it is stopped, Gamekeeper writes the files of Java Edition.
  const hasEditableFiles =
    software?.edition === 'java' && software.playerLists.length > 0 && hasEditableLists(instance.version);
  const mayChange = mayAct && (running || (instance.status === 'stopped' && hasEditableFiles));

  const properties = useQuery({ ...propertiesQuery(instance.id), enabled: mayAct && running && lists.length > 0 });
  const levelOfRunning = properties.data ? levelGivenWith(properties.data.properties) : 'unknown';

  const run = (request: PlayerRequest) => {
    const levelGiven = running ? levelOfRunning : 'any';
    return act.run(request, undoOf(request, stateOf(request.name), { levelGiven, now: Date.now() }));
  };
  const start = (name: string, action: PlayerAction) => {
    if (ACTIONS_WITH_DETAILS.includes(action)) setConfirming({ name, action });
    else run({ name, action }).catch(notifyProblem);
  };

  return (
    <Box className="page-width" py="md">
      <Stack>
        {!running && (
          <EmptyState picture="players" title={t('offTitle')} brief>
            {t(mayChange ? 'offButEditable' : 'off')}
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
            <PlayerTable
              players={players.data}
              stateOf={stateOf}
              mayAct={mayAct}
              onOpen={shown.open}
              onAction={start}
            />
          </Paper>
        )}
        {mayChange && <PlayerByName onAction={start} busy={act.busy} />}
        <SeenPlayers
          instanceId={instance.id}
          stateOf={stateOf}
          onOpen={shown.open}
          {...(mayChange && { onAction: start })}
        />
        <PlayerLists
          instanceId={instance.id}
          lists={lists}
          edition={software?.edition ?? 'java'}
          stateOf={stateOf}
          onOpen={shown.open}
          {...(mayChange && { onAction: start })}
        />
        {software?.edition === 'java' && isLocalAdmin(session) && <SkinsSwitch instance={instance} />}
      </Stack>
      <PlayerDrawer
        player={shown.value === undefined ? undefined : stateOf(shown.value)}
        isLoading={isLoading}
        onClose={shown.close}
        isOnTop={confirming === undefined}
        {...(mayChange && { onAction: start })}
      />
      {confirming && (
        <PlayerDialog
          request={confirming}
          mayChooseLevel={!running}
          onClose={() => setConfirming(undefined)}
          onConfirm={run}
        />
      )}
    </Box>
  );
}
