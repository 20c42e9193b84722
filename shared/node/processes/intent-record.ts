import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { INTENTS, type Intent } from '../../domain/instance/intent.ts';
import { readJsonRecord } from '../files/json-record.ts';
import { bootOfMachine, isFileOfThisBoot } from './process-identity.ts';

/** More than every record needs. All have the same size, so one write replaces the former record as a whole and takes no disk space. */
const RECORD_BYTES = 128;

/** Returns what a supervisor has recorded since the last boot. Throws if that cannot be read, for example for lack of file descriptors. */
export async function readIntent(file: string): Promise<Intent | undefined> {
  const record = (await readJsonRecord(file)) as { intent?: unknown; boot?: unknown } | null | undefined;
  const intent = INTENTS.find((known) => known === record?.intent);
  if (intent === undefined) return undefined;
  const boot = typeof record?.boot === 'string' ? record.boot : undefined;
  return (await isFileOfThisBoot(file, { boot })) ? intent : undefined;
}

/** Replaces the record. Not synced: it outlives every process, but is not needed after a reboot. */
export function writeIntent(file: string, intent: Intent): void {
  const record = JSON.stringify({ intent, boot: bootOfMachine() }).padEnd(RECORD_BYTES - 1);
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    writeSync(descriptor, `${record}\n`, 0);
  } finally {
    closeSync(descriptor);
  }
}
