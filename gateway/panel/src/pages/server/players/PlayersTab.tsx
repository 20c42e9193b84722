import { Box, Stack } from '@mantine/core';
import { isLocalAdmin } from '../../../api/roles.ts';
import { useAddressPart } from '../../../ui/use-address-part.ts';
import type { TabProps } from '../tab-props.ts';
import { OnlinePlayers } from './OnlinePlayers.tsx';
import { PlayerByName } from './PlayerByName.tsx';
import { PlayerDialog } from './PlayerDialog.tsx';
import { PlayerDrawer } from './PlayerDrawer.tsx';
import { PlayerLists } from './PlayerLists.tsx';
import { usePlayerStates } from './player-state.ts';
import { SeenPlayers } from './SeenPlayers.tsx';
import { SkinsSwitch } from './SkinsSwitch.tsx';
import { usePlayerActions } from './use-player-actions.ts';

/** Who is and was on the server, and its lists. The address names the player who is shown. */
export function PlayersTab(props: TabProps) {
  const { instance, session, software } = props;
  const lists = software?.playerLists ?? [];
  const states = usePlayerStates(instance, lists);
  const { stateOf } = states;
  const actions = usePlayerActions(props, stateOf);
  const { mayAct, mayChange, confirming, start } = actions;
  const shown = useAddressPart('player');
  return (
    <Box className="page-width" py="md">
      <Stack>
        <OnlinePlayers
          instance={instance}
          mayAct={mayAct}
          mayChange={mayChange}
          stateOf={stateOf}
          onOpen={shown.open}
          onAction={start}
        />
        {mayChange && <PlayerByName onAction={start} busy={actions.busy} />}
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
        states={states}
        onClose={shown.close}
        isOnTop={confirming === undefined}
        {...(mayChange && { onAction: start })}
      />
      {confirming && (
        <PlayerDialog
          request={confirming}
          mayChooseLevel={instance.status !== 'running'}
          onClose={actions.cancel}
          onConfirm={actions.run}
        />
      )}
    </Box>
  );
}
