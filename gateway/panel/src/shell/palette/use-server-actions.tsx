import type { SpotlightActionData } from '@mantine/spotlight';
import { IconArchive, IconCalendarPlus, IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { type BulkAction, useBulkAction } from '../../api/bulk.ts';
import { useLifecycle } from '../../api/instances.ts';
import { roleOn } from '../../api/roles.ts';
import type { Session } from '../../api/session.ts';
import type { Instance } from '../../api/transport/client.ts';
import { disconnecting } from '../../pages/server/header/DisconnectPlayers.tsx';
import { notifyFailedStart } from '../../pages/server/header/notify-failed-start.ts';
import { section, useWords } from '../../text/section.ts';
import { phaseOf } from '../../ui/display/phase.ts';
import { serverName } from '../../ui/display/server-name.ts';
import { notifyProblem } from '../../ui/feedback/notify.tsx';
import { otherNames } from './other-names.ts';

const text = section({
  en: {
    start: 'Start {name}',
    stop: 'Stop {name}',
    restart: 'Restart {name}',
    backup: 'Back up {name}',
    addSchedule: 'Add a schedule to {name}',
  },
  de: {
    start: '{name} starten',
    stop: '{name} stoppen',
    restart: '{name} neu starten',
    backup: '{name} sichern',
    addSchedule: 'Zeitplan für {name} hinzufügen',
  },
  zh: {
    start: '启动 {name}',
    stop: '停止 {name}',
    restart: '重启 {name}',
    backup: '备份 {name}',
    addSchedule: '为 {name} 添加计划任务',
  },
});

const ICONS = {
  start: <IconPlayerPlay size={18} />,
  stop: <IconPlayerStop size={18} />,
  restart: <IconRefresh size={18} />,
  backup: <IconArchive size={18} />,
  addSchedule: <IconCalendarPlus size={18} />,
};

/**
 * Returns a function that returns what the user may do with a server in its state. Asks before players are disconnected, as the buttons do.
 * `openId`: the server whose page is open, which shows a start that failed.
 */
export function useServerActions(session: Session, openId?: string): (instance: Instance) => SpotlightActionData[] {
  const t = useWords(text);
  const other = useWords(otherNames);
  const [, navigate] = useLocation();
  const lifecycle = useLifecycle();
  const bulk = useBulkAction();
  const backUp = async (id: string) => {
    const { errors } = await bulk.mutateAsync({ ids: [id], action: 'backup' });
    errors.forEach(notifyProblem);
  };
  const act = (instance: Instance, action: BulkAction | 'addSchedule') => {
    const { id } = instance;
    const startFailed = (error: unknown) => (id === openId ? notifyFailedStart(error, instance) : notifyProblem(error));
    if (action === 'backup') void backUp(id);
    else if (action === 'addSchedule') navigate(`/servers/${id}/schedules?new=schedule`);
    else if (action === 'start') lifecycle.mutateAsync({ id, action }).catch(startFailed);
    else disconnecting(instance, action, { run: () => lifecycle.mutateAsync({ id, action }), onError: notifyProblem });
  };
  return (instance) =>
    roleOn(session, instance.id) === 'viewer'
      ? []
      : ([...actionsIn(instance), 'addSchedule'] as const).map((action) => ({
          id: `${action} ${instance.id}`,
          label: t(action, { name: serverName(instance) }),
          keywords: other(action, { name: serverName(instance) }),
          leftSection: ICONS[action],
          onClick: () => act(instance, action),
        }));
}

function actionsIn(instance: Instance): readonly BulkAction[] {
  if (phaseOf(instance) === 'sleeping') return ['start', 'stop', 'backup'];
  return instance.status === 'stopped' ? ['start', 'backup'] : ['stop', 'restart', 'backup'];
}
