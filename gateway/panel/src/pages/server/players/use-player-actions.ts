import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACTIONS_WITH_DETAILS, type PlayerAction, type PlayerRequest } from '../../../api/players.ts';
import { propertiesQuery } from '../../../api/properties.ts';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';
import type { TabProps } from '../tab-props.ts';
import { hasEditableLists, levelGivenWith, undoOf } from './actions-on-player.ts';
import type { PlayerState } from './player-state.ts';
import { useReportedAction } from './use-reported-action.ts';

export interface PlayerActions {
  /** The user may act on players. */
  mayAct: boolean;
  /** The lists can be changed now. */
  mayChange: boolean;
  busy: boolean;
  /** An action that waits for its details. */
  confirming: PlayerRequest | undefined;
  /** Carries out an action, or lets it wait for its details. */
  start(name: string, action: PlayerAction): void;
  /** Rejects if the request fails. */
  run(request: PlayerRequest): Promise<void>;
  cancel(): void;
}

/** What the user may do with a server's players. */
export function usePlayerActions(
  { instance, session, software }: TabProps,
  stateOf: (name: string) => PlayerState,
): PlayerActions {
  const act = useReportedAction(instance.id);
  const [confirming, setConfirming] = useState<PlayerRequest>();
  const mayAct = session.role !== 'viewer';
  const running = instance.status === 'running';
  const hasLists = software !== undefined && software.playerLists.length > 0;
  // While it is stopped, Gamekeeper writes the files of Java Edition.
  const hasEditableFiles = hasLists && software.edition === 'java' && hasEditableLists(instance.version);
  const properties = useQuery({ ...propertiesQuery(instance.id), enabled: mayAct && running && hasLists });
  const levelOfRunning = properties.data ? levelGivenWith(properties.data.properties) : 'unknown';

  const run = (request: PlayerRequest) => {
    const before = stateOf(request.name);
    const levelGiven = running ? levelOfRunning : 'any';
    return act.run(request, () => undoOf(request, before, { levelGiven, now: Date.now() }));
  };
  return {
    mayAct,
    mayChange: mayAct && (running || (instance.status === 'stopped' && hasEditableFiles)),
    busy: act.busy,
    confirming,
    start(name, action) {
      if (ACTIONS_WITH_DETAILS.includes(action)) setConfirming({ name, action });
      else run({ name, action }).catch(notifyProblem);
    },
    run,
    cancel: () => setConfirming(undefined),
  };
}
