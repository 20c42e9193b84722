import type { Instance } from '../../api/transport/client.ts';
import { section, useWords } from '../../text/section.ts';

export type Phase = NonNullable<Instance['phase']>;

const phaseText = section({
  en: {
    stopped: 'Stopped',
    provisioning: 'Preparing',
    starting: 'Starting',
    running: 'Running',
    stopping: 'Stopping',
    crashed: 'Crashed',
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
    sleeping: '休眠中',
    installing: '安装中',
    'backing-up': '备份中',
    restoring: '恢复中',
    both: '{phase}，{activity}',
  },
});

/** What an instance is in, for those who only know its status. */
export function phaseOf({ phase, status }: Instance): Phase {
  return phase ?? status;
}

/** The state in words: the phase, and what is being done to it beside. */
export function usePhaseLabel(): (instance: Instance) => string {
  const t = useWords(phaseText);
  return (instance) =>
    instance.activity
      ? t('both', { phase: t(phaseOf(instance)), activity: t(instance.activity).toLocaleLowerCase() })
      : t(phaseOf(instance));
}

const COLORS: Record<Phase, string> = {
  stopped: 'var(--mantine-color-gray-5)',
  sleeping: 'var(--mantine-color-blue-5)',
  provisioning: 'var(--mantine-color-yellow-6)',
  starting: 'var(--mantine-color-yellow-6)',
  running: 'var(--mantine-color-moss-6)',
  stopping: 'var(--mantine-color-yellow-6)',
  crashed: 'var(--mantine-color-red-6)',
};

/** The state as a shape: full, half, empty, moon or cross, so that its colour is never alone in telling. */
export function PhaseMark({ phase, size = 12 }: { phase: Phase; size?: number }) {
  const color = COLORS[phase];
  const ring = <circle cx="6" cy="6" r="4.75" fill="none" stroke={color} strokeWidth="1.5" />;
  const shapes: Record<Phase, React.ReactNode> = {
    running: <circle cx="6" cy="6" r="5.5" fill={color} />,
    stopped: ring,
    sleeping: <path d="M8 1.2a5 5 0 1 0 2.9 7.2A4.2 4.2 0 0 1 8 1.2Z" fill={color} />,
    crashed: <path d="M2 2l8 8M10 2l-8 8" stroke={color} strokeWidth="2.5" strokeLinecap="round" />,
    provisioning: half(ring, color),
    starting: half(ring, color),
    stopping: half(ring, color),
  };
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden="true" style={{ flexShrink: 0 }}>
      {shapes[phase]}
    </svg>
  );
}

function half(ring: React.ReactNode, color: string) {
  return (
    <>
      {ring}
      <path d="M6 1.25a4.75 4.75 0 0 1 0 9.5Z" fill={color} />
    </>
  );
}
