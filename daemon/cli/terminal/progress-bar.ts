import { clearLine, cursorTo } from 'node:readline';
import { printable } from './printable.ts';

/** Title, amounts, speed and time fit beside it in 80 columns. */
const BAR_WIDTH = 18;

/** A line of a terminal that is overwritten until it is cleared. Does nothing if the stream is not a terminal. */
export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

export function progressLine(stream: NodeJS.WriteStream): ProgressLine {
  let shown = '';
  const clear = () => {
    if (shown === '') return;
    clearLine(stream, 0);
    cursorTo(stream, 0);
    shown = '';
  };
  return {
    show(text) {
      if (!stream.isTTY) return;
      const fitting = printable(text).slice(0, Math.max(1, (stream.columns || 80) - 1));
      if (fitting === shown) return;
      clear();
      stream.write(fitting);
      shown = fitting;
    },
    clear,
  };
}

/** Returns `██████──────  42 %`, for `percent` from 0 to 100. */
export function bar(percent: number): string {
  const filled = Math.round((Math.min(100, Math.max(0, percent)) / 100) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'─'.repeat(BAR_WIDTH - filled)} ${String(Math.floor(percent)).padStart(3)} %`;
}
