import { rm } from 'node:fs/promises';
import { writeFileAtomically } from '../files/atomic-file.ts';
import { readJsonRecord } from '../files/json-record.ts';
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
  const game = await readJsonRecord(file);
  const identity = identityIn(game);
  return identity && (await isAlive(identity)) ? (game as ProcessIdentity & { startedAt?: number }) : undefined;
}

async function readRecord(file: string): Promise<SupervisorRecord | undefined> {
  const record = await readJsonRecord(file);
  return isRecord(record) ? record : undefined;
}

function isRecord(value: unknown): value is SupervisorRecord {
  if (!identityIn(value)) return false;
  const record = value as Partial<SupervisorRecord>;
  return typeof record.socket === 'string' && typeof record.protocol === 'number';
}
