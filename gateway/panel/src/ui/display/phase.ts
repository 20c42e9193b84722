import type { Instance } from '../../api/transport/client.ts';
import { section, useWords } from '../../text/section.ts';

export type Phase = NonNullable<Instance['phase']>;

const text = section({
  en: {
    stopped: 'Stopped',
    provisioning: 'Preparing',
    starting: 'Starting',
    running: 'Running',
    stopping: 'Stopping',
    crashed: 'Crashed',
    notStarted: 'Failed to start',
    sleeping: 'Sleeping',
    installing: 'Installing',
    'backing-up': 'Backing up',
    restoring: 'Restoring',
    both: '{phase}, {activity}',
  },
  de: {
    stopped: 'Gestoppt',
    provisioning: 'Wird vorbereitet',
    starting: 'Startet',
    running: 'Läuft',
    stopping: 'Stoppt',
    crashed: 'Abgestürzt',
    notStarted: 'Start fehlgeschlagen',
    sleeping: 'Schläft',
    installing: 'Wird installiert',
    'backing-up': 'Wird gesichert',
    restoring: 'Wird wiederhergestellt',
    both: '{phase}, {activity}',
  },
  zh: {
    stopped: '已停止',
    provisioning: '准备中',
    starting: '启动中',
    running: '运行中',
    stopping: '停止中',
    crashed: '已崩溃',
    notStarted: '启动失败',
    sleeping: '休眠中',
    installing: '安装中',
    'backing-up': '备份中',
    restoring: '恢复中',
    both: '{phase}，{activity}',
  },
});

/** Returns the phase of an instance, or its status if the daemon reports no phase. */
export function phaseOf({ phase, status }: Pick<Instance, 'phase' | 'status'>): Phase {
  return phase ?? status;
}

/** Whether the last start failed before there was a process that could crash. */
export function failedToStart({ phase, crash }: Pick<Instance, 'phase' | 'crash'>): boolean {
  return phase === 'crashed' && crash?.failedStart !== undefined;
}

/** Returns the state in words: the phase and, if there is one, the activity. */
export function usePhaseLabel(): (instance: Instance) => string {
  const t = useWords(text);
  return (instance) => {
    const phase = t(failedToStart(instance) ? 'notStarted' : phaseOf(instance));
    return instance.activity ? t('both', { phase, activity: t(instance.activity).toLocaleLowerCase() }) : phase;
  };
}
