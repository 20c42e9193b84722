import { Text } from '@mantine/core';

/** A label, and the game's own name for those who know it. */
export function NamedLabel({ label, name }: { label: string; name: string | undefined }) {
  return (
    <>
      {label}{' '}
      {name && (
        <Text span size="xs" fw={400} ff="monospace" c="dimmed">
          {name}
        </Text>
      )}
    </>
  );
}
