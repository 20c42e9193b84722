import { readFile, rm } from 'node:fs/promises';
import { hasErrorCode } from '../../errors/error-code.ts';
import { writeFileAtomically } from '../files/atomic-file.ts';
import { identityIn, isAlive, type ProcessIdentity } from './process-identity.ts';

/** What a supervisor leaves in `run/instances/<id>.json`, so that a later daemon finds it. */
export interface SupervisorRecord extends ProcessIdentity {
  socket: string;
  protocol: number;
}

export async function writeSupervisorRecord(file: string, record: SupervisorRecord): Promise<void> {
  await writeFileAtomically(file, `${JSON.stringify(record)}\n`);
}

/** The record if it is whole and its process lives; a stale or broken one is removed. */
export async function readLivingRecord(file: string): Promise<SupervisorRecord | undefined> {
  const record = await readRecord(file);
  if (record && (await isAlive(record))) return record;
  await rm(file, { force: true });
  return undefined;
}

/** The game's process as its supervisor has put it on record, if it lives. */
export async function readLivingGame(file: string): Promise<(ProcessIdentity & { startedAt?: number }) | undefined> {
  const game = await readJson(file);
  const identity = identityIn(game);
  return identity && (await isAlive(identity)) ? (game as ProcessIdentity & { startedAt?: number }) : undefined;
}

async function readRecord(file: string): Promise<SupervisorRecord | undefined> {
  const record = await readJson(file);
  return isRecord(record) ? record : undefined;
}

async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EISDIR')) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: not written by us, or by a version that we cannot follow. Treated as stale.
    return undefined;
  }
}

function isRecord(value: unknown): value is SupervisorRecord {
  if (!identityIn(value)) return false;
  const record = value as Partial<SupervisorRecord>;
  return typeof record.socket === 'string' && typeof record.protocol === 'number';
}
