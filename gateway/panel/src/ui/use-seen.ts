import { type RefObject, useEffect, useRef, useState } from 'react';

/** Tells whether the element that gets the ref has been on screen since this was enabled. */
export function useSeen<Shown extends Element>(enabled: boolean): { ref: RefObject<Shown | null>; isSeen: boolean } {
  const ref = useRef<Shown>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (!enabled || isSeen || ref.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [enabled, isSeen]);
  return { ref, isSeen };
}
