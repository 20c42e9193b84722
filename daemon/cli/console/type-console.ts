import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { Home } from '../../../shared/node/files/home.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import { consoleLine, printable } from '../terminal/printable.ts';
import { openConsole } from './console-feed.ts';

const HISTORY_LINES = 500;

/** The console on a terminal: the output scrolls above an editable line with a history. Ctrl-C and Ctrl-D leave. */
export async function typeConsole(home: Home, { id, name, phase, status }: Instance): Promise<void> {
  const { stdin, stdout } = process;
  stdout.write(
    `${printable(name)} is ${phase ?? status}. Type a command and press Enter. Ctrl-C leaves the console; the server keeps running.\n`,
  );
  const editor = createInterface({
    input: stdin,
    output: stdout,
    prompt: `${id}> `,
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
  });
  const feed = await openConsole(home, {
    id,
    show: (lines) => printAbove(editor, lines.map((line) => consoleLine(line, process.stdout)).join('\n')),
  }).catch((error: unknown) => {
    editor.close();
    throw error;
  });

  editor.prompt();
  editor.on('line', (line) => {
    if (line.trim() !== '') feed.send(line);
    editor.prompt();
  });
  editor.on('SIGINT', () => editor.close());
  editor.once('close', feed.close);
  try {
    await feed.ended;
  } finally {
    editor.close();
    stdout.write('\n');
  }
}

/** Prints above the line that is being typed, and keeps its cursor. */
function printAbove(editor: Interface, text: string): void {
  const { stdout } = process;
  moveCursor(stdout, 0, -editor.getCursorPos().rows);
  cursorTo(stdout, 0);
  clearScreenDown(stdout);
  stdout.write(`${text}\n`);
  editor.prompt(true);
}
