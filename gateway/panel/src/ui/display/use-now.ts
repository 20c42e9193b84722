import { useEffect, useState } from 'react';

const REFRESH_MS = 15_000;

/** Returns the current time in milliseconds since the epoch, refreshed every 15 s. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
