import type { InstanceRuntime } from '../../domain/instance/runtime.ts';
import { writeFileAtomically } from '../files/atomic-file.ts';
import { readJsonRecord } from '../files/json-record.ts';
import { identityIn, isAlive, type ProcessIdentity } from './process-identity.ts';

/** The record of a supervisor in `run/instances/<id>.json`, by which a later daemon finds it. */
export interface SupervisorRecord extends ProcessIdentity {
  socket: string;
  protocol: number;
}

export async function writeSupervisorRecord(file: string, record: SupervisorRecord): Promise<void> {
  await writeFileAtomically(file, `${JSON.stringify(record)}\n`);
}

/** Returns the record if its process lives. A stale one stays, since the next process may write its own at any moment. */
export async function readLivingRecord(file: string): Promise<SupervisorRecord | undefined> {
  const record = await readRecord(file);
  return record && (await isAlive(record)) ? record : undefined;
}

/** The process of a game, with what its record says of its start. */
export type LivingGame = ProcessIdentity & Pick<InstanceRuntime, 'startedAt' | 'startedMonotonicMs'>;

/** Returns the recorded process of a game if it lives. */
export async function readLivingGame(file: string): Promise<LivingGame | undefined> {
  const game = await readJsonRecord(file);
  const identity = identityIn(game);
  return identity && (await isAlive(identity)) ? (game as LivingGame) : undefined;
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
