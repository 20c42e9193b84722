import type { Terminal } from '@xterm/xterm';

/**
 * Lets the usual keys scroll the terminal. All other keys stay with the page: xterm would swallow Tab, which is a keyboard trap
 * (WCAG 2.2, 2.1.2).
 */
export function scrollByKeys(terminal: Terminal, onScroll: () => void): void {
  const keys = new Map([
    ['ArrowUp', () => terminal.scrollLines(-1)],
    ['ArrowDown', () => terminal.scrollLines(1)],
    ['PageUp', () => terminal.scrollPages(-1)],
    ['PageDown', () => terminal.scrollPages(1)],
    ['Home', () => terminal.scrollToTop()],
    ['End', () => terminal.scrollToBottom()],
  ]);
  terminal.attachCustomKeyEventHandler((event) => {
    const { type, key, ctrlKey, metaKey, altKey } = event;
    const scroll = type === 'keydown' && !ctrlKey && !metaKey && !altKey ? keys.get(key) : undefined;
    if (scroll) {
      event.preventDefault();
      scroll();
      onScroll();
    }
    return false;
  });
}
