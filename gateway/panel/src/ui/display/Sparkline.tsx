const WIDTH = 48;
const HEIGHT = 18;

export interface SparklineProps {
  /** Oldest first, at even times; `null`: nothing is known of then. */
  values: readonly (number | null)[];
  /** What the height stands for at least. */
  atLeast: number;
}

/** How a figure went lately, as small as a word. The figure itself stands beside it, so nobody misses anything without it. */
export function Sparkline({ values, atLeast }: SparklineProps) {
  const most = Math.max(atLeast, ...values.map((value) => value ?? 0));
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * WIDTH;
  const y = (value: number) => HEIGHT - 1 - (value / most) * (HEIGHT - 2);
  const path = values
    .map((value, index) => {
      if (value === null) return '';
      const begins = index === 0 || values[index - 1] === null;
      return `${begins ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" style={{ verticalAlign: 'middle' }}>
      <path d={path} fill="none" stroke="var(--mantine-color-moss-6)" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}
