import { Text, type TextProps, Tooltip } from '@mantine/core';
import { useQuantities } from '../../text/quantities.ts';
import { notBefore, useNow } from './use-now.ts';

export function RelativeTime({ at, ...props }: { at: string } & TextProps) {
  const { relative, exact } = useQuantities();
  const now = useNow();
  return (
    <Tooltip label={exact(at)} events={{ hover: true, focus: true, touch: true }}>
      <Text component="time" dateTime={at} span inherit {...props}>
        {relative(at, notBefore(Date.parse(at), now))}
      </Text>
    </Tooltip>
  );
}
