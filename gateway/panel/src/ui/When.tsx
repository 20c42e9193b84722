import { Text, type TextProps, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useQuantities } from '../text/quantities.ts';

/** How often a relative time is looked at again. Milliseconds. */
const TICK_MS = 15_000;

/** A moment as people say it, the exact one on hover. */
export function When({ at, ...props }: { at: string } & TextProps) {
  const { relative, exact } = useQuantities();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Tooltip label={exact(at)} events={{ hover: true, focus: true, touch: true }}>
      <Text component="time" dateTime={at} span inherit {...props}>
        {relative(at, now)}
      </Text>
    </Tooltip>
  );
}
