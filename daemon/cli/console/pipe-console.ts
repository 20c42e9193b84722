import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../../shared/node/files/home.ts';
import { consoleLine } from '../terminal/printable.ts';
import { openConsole } from './console-feed.ts';

/** After this long without output, the answer to the last command is complete. Milliseconds. */
const QUIET_MS = 750;
/** The limit for a server that never stops printing. Milliseconds. */
const PATIENCE_MS = 10_000;

/** The console without a terminal: each line of stdin is a command. Ends after the answer to the last one. */
export async function pipeConsole(home: Home, id: string): Promise<void> {
  let heardAt = performance.now();
  const feed = await openConsole(home, {
    id,
    show(lines) {
      heardAt = performance.now();
      const texts = lines.map((line) => consoleLine(line, process.stdout));
      process.stdout.write(`${texts.join('\n')}\n`);
    },
  });
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => {
    heardAt = performance.now();
    if (line.trim() !== '') feed.send(line);
  });
  const allAsked = new Promise<'asked'>((resolve) => input.once('close', () => resolve('asked')));
  if ((await Promise.race([allAsked, feed.ended])) === 'asked') {
    const deadline = performance.now() + PATIENCE_MS;
    heardAt = performance.now();
    while (performance.now() - heardAt < QUIET_MS && performance.now() < deadline)
      await delay(QUIET_MS - (performance.now() - heardAt));
  }
  input.close();
  feed.close();
  await feed.ended;
}
