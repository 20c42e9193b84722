import { Group, Text } from '@mantine/core';
import { KEEP, MARK_SIZE } from './mark.ts';

/** The logo and the product's name. `size`: height of the mark in pixels. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <Group gap={10} wrap="nowrap">
      <svg width={size} height={size} viewBox={`0 0 ${MARK_SIZE} ${MARK_SIZE}`} aria-hidden="true">
        <rect width={MARK_SIZE} height={MARK_SIZE} rx="8" fill="var(--mantine-color-accent-filled)" />
        <path d={KEEP} fill="#fff" fillRule="evenodd" />
      </svg>
      <Text fw={700} fz={size * 0.68} lh={1} style={{ letterSpacing: '-0.02em' }}>
        Gamekeeper
      </Text>
    </Group>
  );
}
