import { useEffect, useState } from 'react';

/** How often what is said relative to the present is looked at again. Milliseconds. */
const TICK_MS = 15_000;

/** The present, as time goes on. Milliseconds since the epoch. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
