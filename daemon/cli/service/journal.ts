import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Home } from '../../../shared/node/files/home.ts';
import { runCommand } from './run-command.ts';
import type { ServicePlan } from './service-plan.ts';

/** A start that fails says why in one line or two, and is tried more than once. */
const LAST_LINES = 6;

/** Where a person finds what the service has printed. */
export function journalOf({ journal }: ServicePlan, home: Home): string {
  return journal?.join(' ') ?? logOf(home);
}

/** The last of that, each line once; none where it cannot be read. */
export async function lastWords({ journal }: ServicePlan, home: Home): Promise<string[]> {
  const text = journal
    ? (await runCommand([...journal, `--lines=${LAST_LINES}`, '--output=cat', '--no-pager'])).stdout
    : await readFile(logOf(home), 'utf8').catch(() => '');
  return [...new Set(text.split('\n').filter(Boolean).slice(-LAST_LINES))];
}

function logOf(home: Home): string {
  return path.join(home.logs, 'service.log');
}
