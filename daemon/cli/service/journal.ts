import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Home } from '../../../shared/node/files/home.ts';
import { runCommand } from './run-command.ts';
import type { ServicePlan } from './service-plan.ts';

/** A failed start prints one line or two, and is repeated. */
const LAST_LINES = 6;

/** Returns the command or the file that shows the service's output. */
export function journalOf({ journal }: ServicePlan, home: Home): string {
  return journal?.join(' ') ?? logOf(home);
}

/** Returns the last lines of the service's output, without repetitions. */
export async function lastLogLines({ journal }: ServicePlan, home: Home): Promise<string[]> {
  const text = journal
    ? (await runCommand([...journal, `--lines=${LAST_LINES}`, '--output=cat', '--no-pager'])).stdout
    : await readFile(logOf(home), 'utf8').catch(() => '');
  return [...new Set(text.split('\n').filter(Boolean).slice(-LAST_LINES))];
}

function logOf(home: Home): string {
  return path.join(home.logs, 'service.log');
}
