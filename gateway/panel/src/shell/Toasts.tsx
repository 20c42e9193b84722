import { Notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';

/** Short messages in a strip of their own at the bottom: they take space from the page, and cover nothing. */
export function Toasts() {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = strip;
    if (!current) return;
    // What sticks to the bottom of a page stays above the strip.
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--toasts-height', `${current.offsetHeight}px`),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={strip} className="toasts">
      <Notifications withinPortal={false} position="bottom-left" transitionDuration={120} className="toasts-list" />
    </div>
  );
}
