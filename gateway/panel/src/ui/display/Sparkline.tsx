import { HEIGHT, sparklinePath, WIDTH } from './sparkline-path.ts';

/** Hidden from screen readers: the current value stands next to it. */
export function Sparkline({ values, minMax }: { values: readonly (number | null)[]; minMax: number }) {
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" style={{ verticalAlign: 'middle' }}>
      <path
        d={sparklinePath(values, minMax)}
        fill="none"
        stroke="var(--mantine-color-moss-6)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}
