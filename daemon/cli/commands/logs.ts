import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import type { LogsResponse } from '../../../shared/schema/answers.ts';
import { Failure } from '../api/failure.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { openConsole } from '../console/console-feed.ts';
import { consoleLine } from '../terminal/printable.ts';
import { parseWhole } from '../terminal/quantities.ts';

const DEFAULT_LINES = 100;
/** Earlier lines arrive at once. Lines that arrive later than this are new. Milliseconds. */
const BACKLOG_MS = 250;

export function addLogs(program: Command): void {
  withCommonOptions(program.command('logs'))
    .description("Print the last lines of a server's console")
    .argument('<id>', 'Id of the server')
    .option('-n, --lines <count>', 'Number of lines, 1 to 1000; with -f at most 200', parseWhole, DEFAULT_LINES)
    .option('-f, --follow', 'Print new lines until Ctrl-C')
    .action(async (id: string, { lines, follow }: { lines: number; follow?: boolean }, command: Command) => {
      const session = sessionOf(command);
      if (follow && session.json)
        throw new Failure('--json is not possible with --follow, which never ends.', { exitCode: EXIT.usage });
      if (follow) {
        await followLogs(session, id, lines);
        return;
      }
      const path = `/instances/${encodeURIComponent(id)}/logs?lines=${lines}`;
      const { body } = await session.api.request<LogsResponse>('GET', path);
      if (session.json || body.lines.length > 0) session.answer(body, (logs) => logs.lines.join('\n'));
    });
}

async function followLogs(session: Session, id: string, count: number): Promise<void> {
  let backlog: string[] | undefined = [];
  const print = (lines: readonly string[]) => lines.length > 0 && process.stdout.write(`${lines.join('\n')}\n`);
  const feed = await openConsole(session.home, {
    id,
    show(lines) {
      const texts = lines.map((line) => consoleLine(line, process.stdout));
      if (backlog) backlog.push(...texts);
      else print(texts);
    },
  });
  await delay(BACKLOG_MS);
  print(count === 0 ? [] : backlog.slice(-count));
  backlog = undefined;
  await feed.ended;
}
