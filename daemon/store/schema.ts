import type { DatabaseSync } from 'node:sqlite';
import { JOBS_SCHEMA } from '../../shared/contract/jobs-schema.ts';
import { SCHEMA } from './migrations.ts';

/** The migration steps of a database. Two processes have tables in the file, and each counts its own steps. */
export interface Schema {
  /** The daemon's. */
  schema: number;
  /** The jobs process's. */
  jobsSchema: number;
}

/** The steps of this version. */
export const THIS_SCHEMA: Schema = { schema: SCHEMA, jobsSchema: JOBS_SCHEMA };

/** Returns the steps of a database; 0 for the tables of a process that never opened it. */
export function schemaIn(database: DatabaseSync): Schema {
  return { schema: stepsIn(database, 'daemon_schema'), jobsSchema: stepsIn(database, 'backup_schema') };
}

/** Returns whether `one` has a step that `other` does not know. */
export function isNewer(one: Schema, other: Schema): boolean {
  return one.schema > other.schema || one.jobsSchema > other.jobsSchema;
}

function stepsIn(database: DatabaseSync, table: 'daemon_schema' | 'backup_schema'): number {
  const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
  return isThere ? Number(database.prepare(`SELECT steps FROM ${table}`).get()?.steps ?? 0) : 0;
}
