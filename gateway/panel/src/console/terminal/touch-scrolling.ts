import type { Terminal } from '@xterm/xterm';

/** What of a finger's way counts as its speed when it is lifted. Milliseconds. */
const SPEED_WINDOW_MS = 100;
/** In which a flick loses two thirds of its speed, as phones do it. Milliseconds. */
const SLOWS_DOWN_MS = 325;
/** Slower than this, in pixels per millisecond, nothing moves any more. */
const STANDS_STILL = 0.05;

interface Finger {
  id: number;
  /** Where it was, newest last. */
  way: { y: number; at: number }[];
}

/**
 * Lets a finger scroll a terminal; xterm 6 itself only knows wheels. At either end the page goes on, so that a console that is larger than
 * the window does not hold anybody back. Needs `touch-action: pinch-zoom` on the terminal: two fingers stay the browser's. Returns how to end it.
 */
export function scrollByTouch(terminal: Terminal): () => void {
  const element = terminal.element!;
  const ended = new AbortController();
  let finger: Finger | undefined;
  let flick: number | undefined;
  let fraction = 0;

  /** Answers whether the terminal itself moved. */
  function scroll(pixels: number): boolean {
    const { viewportY, baseY } = terminal.buffer.active;
    if (pixels < 0 ? viewportY === 0 : viewportY >= baseY) {
      fraction = 0;
      window.scrollBy({ top: pixels, behavior: 'instant' });
      return false;
    }
    const rows = (pixels * terminal.rows) / element.querySelector('.xterm-screen')!.clientHeight + fraction;
    fraction = rows % 1;
    terminal.scrollLines(Math.trunc(rows));
    return true;
  }

  function goOn(speed: number): void {
    let before = performance.now();
    const step = (now: number) => {
      const passed = Math.max(0, now - before);
      before = now;
      speed *= Math.exp(-passed / SLOWS_DOWN_MS);
      const moves = Math.abs(speed) > STANDS_STILL && scroll(speed * passed);
      flick = moves ? requestAnimationFrame(step) : undefined;
    };
    flick = requestAnimationFrame(step);
  }

  function stop(): void {
    if (flick !== undefined) cancelAnimationFrame(flick);
    flick = undefined;
    finger = undefined;
  }

  const listen = (type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel', on: (e: PointerEvent) => void) =>
    element.addEventListener(type, on, { signal: ended.signal });

  listen('pointerdown', ({ pointerType, isPrimary, pointerId, clientY, timeStamp, target }) => {
    stop();
    // The scroll bar follows the finger by itself.
    if (pointerType !== 'touch' || !isPrimary || (target as Element).closest('.scrollbar')) return;
    fraction = 0;
    finger = { id: pointerId, way: [{ y: clientY, at: timeStamp }] };
  });
  listen('pointermove', ({ pointerId, clientY, timeStamp }) => {
    const last = finger?.way.at(-1);
    if (!finger || !last || pointerId !== finger.id) return;
    // The row under the finger is drawn anew, and what it was captured by gone.
    if (!element.hasPointerCapture(pointerId)) element.setPointerCapture(pointerId);
    finger.way = [...finger.way.filter(({ at }) => timeStamp - at < SPEED_WINDOW_MS), { y: clientY, at: timeStamp }];
    scroll(last.y - clientY);
  });
  listen('pointerup', ({ pointerId, timeStamp }) => {
    if (pointerId !== finger?.id) return;
    const recent = finger.way.filter(({ at }) => timeStamp - at < SPEED_WINDOW_MS);
    const [from, to] = [recent[0], recent.at(-1)];
    stop();
    if (!from || !to || to.at <= from.at || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    goOn((from.y - to.y) / (to.at - from.at));
  });
  // Two fingers: the browser enlarges the page.
  listen('pointercancel', stop);

  return () => {
    stop();
    ended.abort();
  };
}
