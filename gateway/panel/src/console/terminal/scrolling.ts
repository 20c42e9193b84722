import type { Terminal } from '@xterm/xterm';

/** The last part of a swipe that determines its speed. */
const SPEED_WINDOW_MS = 100;
/** A flick slows down to 37 % (1/e) in this time, as on phones. */
const DECELERATION_MS = 325;
/** A flick ends below this speed, in pixels per millisecond. */
const MIN_SPEED = 0.05;

interface Finger {
  id: number;
  /** Recent positions, newest last. */
  path: { y: number; at: number }[];
}

/**
 * Lets one finger scroll the terminal; xterm 6 handles only wheels. At either end it scrolls the page instead, so that a console larger
 * than the window traps nobody. Needs `touch-action: pinch-zoom` on the terminal, which leaves two fingers to the browser.
 * Returns a function that ends it.
 */
export function scrollByTouch(terminal: Terminal): () => void {
  const element = terminal.element!;
  const ended = new AbortController();
  let finger: Finger | undefined;
  let flick: number | undefined;
  let fraction = 0;

  /** Returns whether the terminal itself moved. */
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

  function startFlick(speed: number): void {
    let before = performance.now();
    const step = (now: number) => {
      const passed = Math.max(0, now - before);
      before = now;
      speed *= Math.exp(-passed / DECELERATION_MS);
      const moves = Math.abs(speed) > MIN_SPEED && scroll(speed * passed);
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
    // The scroll bar already follows the finger.
    if (pointerType !== 'touch' || !isPrimary || (target as Element).closest('.scrollbar')) return;
    fraction = 0;
    finger = { id: pointerId, path: [{ y: clientY, at: timeStamp }] };
  });
  listen('pointermove', ({ pointerId, clientY, timeStamp }) => {
    const last = finger?.path.at(-1);
    if (!finger || !last || pointerId !== finger.id) return;
    // Scrolling redraws the row under the finger, which had captured the pointer.
    if (!element.hasPointerCapture(pointerId)) element.setPointerCapture(pointerId);
    finger.path = [...finger.path.filter(({ at }) => timeStamp - at < SPEED_WINDOW_MS), { y: clientY, at: timeStamp }];
    scroll(last.y - clientY);
  });
  listen('pointerup', ({ pointerId, timeStamp }) => {
    if (pointerId !== finger?.id) return;
    const recent = finger.path.filter(({ at }) => timeStamp - at < SPEED_WINDOW_MS);
    const [from, to] = [recent[0], recent.at(-1)];
    stop();
    if (!from || !to || to.at <= from.at || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    startFlick((from.y - to.y) / (to.at - from.at));
  });
  // A second finger: the browser zooms.
  listen('pointercancel', stop);

  return () => {
    stop();
    ended.abort();
  };
}

export interface TerminalKeys {
  onScroll: () => void;
  /** Called for Shift with an arrow key. */
  onSelect: (direction: 'up' | 'down') => void;
}

/**
 * Lets the usual keys scroll the terminal and select lines. All other keys stay with the page: xterm would swallow Tab, which is a keyboard trap
 * (WCAG 2.2, 2.1.2).
 */
export function scrollByKeys(terminal: Terminal, { onScroll, onSelect }: TerminalKeys): void {
  const selecting = new Map([
    ['ArrowUp', () => onSelect('up')],
    ['ArrowDown', () => onSelect('down')],
  ]);
  const scrolling = new Map([
    ['ArrowUp', () => terminal.scrollLines(-1)],
    ['ArrowDown', () => terminal.scrollLines(1)],
    ['PageUp', () => terminal.scrollPages(-1)],
    ['PageDown', () => terminal.scrollPages(1)],
    ['Home', () => terminal.scrollToTop()],
    ['End', () => terminal.scrollToBottom()],
  ]);
  terminal.attachCustomKeyEventHandler((event) => {
    const { type, key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (type !== 'keydown' || ctrlKey || metaKey || altKey) return false;
    const act = (shiftKey && selecting.get(key)) || scrolling.get(key);
    if (act) {
      event.preventDefault();
      act();
      onScroll();
    }
    return false;
  });
}
