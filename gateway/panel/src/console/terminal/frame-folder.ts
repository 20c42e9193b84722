import { stripColours } from '../strip-colours.ts';
import type { KeptLine } from './kept-lines.ts';

/** Frames of each run that are always shown. */
const SHOWN_FRAMES = 2;

/** Decides which frames of stack traces are folded: those of a run after its first ones. Any other line ends a run, such as "Caused by". */
export interface FrameFolder {
  /** Number of frames of the current run that are folded so far. */
  readonly folded: number;
  /** Number of the current run's first line; 0 if there is no run. */
  readonly run: number;
  /** Whether the next shown line, a frame with this number, is folded. */
  folds(seq: number): boolean;
  end(): void;
  /** Shows the run that starts with this line in full. */
  unfold(run: number): void;
}

export function createFrameFolder(): FrameFolder {
  const unfolded = new Set<number>();
  let run = 0;
  let frames = 0;
  return {
    get folded() {
      return unfolded.has(run) ? 0 : Math.max(0, frames - SHOWN_FRAMES);
    },
    get run() {
      return run;
    },
    folds(seq) {
      if (run === 0) run = seq;
      frames++;
      return this.folded > 0;
    },
    end() {
      run = 0;
      frames = 0;
    },
    unfold: (first) => void unfolded.add(first),
  };
}

/** Returns whether one of the frames that are folded at first contains the text, in any case. */
export function isInFold(text: string, lines: readonly KeptLine[]): boolean {
  const lowerCase = text.toLowerCase();
  const folder = createFrameFolder();
  return lines.some((line) => {
    if (line.kind !== 'frame') folder.end();
    else if (folder.folds(line.seq)) return stripColours(line.text).toLowerCase().includes(lowerCase);
    return false;
  });
}
