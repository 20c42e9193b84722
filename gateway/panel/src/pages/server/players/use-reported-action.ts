import { NO_ANSWER } from '../../../../../../shared/domain/players/player-answer.ts';
import { type PlayerRequest, usePlayerAction } from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { notifyDone, notifyInfo, notifyProblem, notifyUndoable } from '../../../ui/feedback/notify.tsx';
import { isConfirmation } from './confirmation.ts';
import { playersText } from './players-text.ts';

/** Returns the request that undoes an action if it is sent now; `undefined` if there is none. */
type Undo = () => PlayerRequest | undefined;

export interface ReportedAction {
  busy: boolean;
  /** Acts on a player and reports what came of it, with a button that sends what `undo` returns. Rejects if the request fails. */
  run(request: PlayerRequest, undo: Undo): Promise<void>;
}

/** Actions on players, reported in the user's language; an answer that is no confirmation, in the server's own words. */
export function useReportedAction(instanceId: string): ReportedAction {
  const t = useWords(playersText);
  const act = usePlayerAction(instanceId);
  const run = async (request: PlayerRequest, undo: Undo) => {
    const { name, action } = request;
    const { message } = await act.mutateAsync(request);
    const facts = { action: t(action), name };
    const done = t(`${action}Done`, { name });
    if (message === NO_ANSWER) notifyInfo(t('unanswered', facts));
    else if (!isConfirmation(message, request)) notifyInfo(`${t('sent', facts)} ${message}`);
    else if (undo()) notifyUndoable(done, () => takeBack(undo()));
    else notifyDone(done);
  };
  const takeBack = (request: PlayerRequest | undefined) => {
    if (request) run(request, () => undefined).catch(notifyProblem);
    else notifyInfo(t('tooLate'));
  };
  return { busy: act.isPending, run };
}
