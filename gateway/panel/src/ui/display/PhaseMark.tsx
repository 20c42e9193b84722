import type { Phase } from './phase.ts';

const COLORS: Record<Phase, string> = {
  stopped: 'var(--mantine-color-gray-5)',
  sleeping: 'var(--mantine-color-grape-5)',
  provisioning: 'var(--mantine-color-warning-6)',
  starting: 'var(--mantine-color-warning-6)',
  running: 'var(--mantine-color-good-6)',
  stopping: 'var(--mantine-color-warning-6)',
  crashed: 'var(--mantine-color-danger-6)',
};

/** Shows the phase as a distinct shape, so that it does not depend on colour alone. */
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
