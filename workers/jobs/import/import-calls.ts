import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { JobsService } from '../../../shared/contract/jobs.ts';
import { INSTANCE_ID_PATTERN } from '../../../shared/domain/instance-id.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/home.ts';
import type { ImportInstance } from '../../../shared/schema/import.ts';
import type { Peers } from '../peers.ts';
import type { Pool } from '../pool.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { requireNotInUse } from './in-use.ts';
import { type Recognised, toCreateRequest, toRecognition, toRecord } from './to-request.ts';

/** A folder on a slow disk takes a second; longer than this it was made to take long. Milliseconds. */
const RECOGNISING_MS = 30_000;
const MAX_NAME = 64;

export interface ImportParts {
  home: Home;
  peers: Peers;
  pool: Pool;
  records: InstalledRecords;
}

/** Servers that were there before Gamekeeper. */
export function importCalls(parts: ImportParts): Pick<JobsService, 'recognise' | 'importFolder'> {
  const { home, peers, records } = parts;
  return {
    async recognise(request) {
      return (await lookAt(request, parts)).recognition;
    },
    async importFolder(request) {
      const found = await lookAt(request, parts);
      const { directory } = found.recognition;
      const wanted = toCreateRequest(found, request);
      const managed = await managedId(directory, home);
      const id = wanted.id ?? managed;
      const config = await peers.daemon.createInstance({
        ...wanted,
        name: wanted.name ?? nameOf(directory),
        id,
        // One that Gamekeeper made, and an instance of that id: it is the instance's own again.
        ...((managed === undefined || id !== managed) && { directory }),
      });
      const record = toRecord(found, config);
      if (record) await records.write(config.id, record);
      return { id: config.id, recognised: found.recognition };
    },
  };
}

/** Throws what is wrong with the folder, and `invalid_state` where a server is running in it. */
async function lookAt(request: ImportInstance, { peers, pool }: ImportParts): Promise<Recognised> {
  const directory = await peers.daemon.checkFolder(request.directory);
  const found = await recogniseIn(directory, pool);
  await requireNotInUse(directory, found.locks);
  return toRecognition(directory, found, request);
}

async function recogniseIn(directory: string, pool: Pool) {
  const deadline = AbortSignal.timeout(RECOGNISING_MS);
  try {
    return await pool.run('recognise', { directory }, deadline);
  } catch (cause) {
    if (!deadline.aborted) throw cause;
    throw new GamekeeperError(
      'invalid_state',
      `${directory} could not be looked through within ${RECOGNISING_MS / 1000} seconds.`,
      { resolution: 'Give software and version with POST /instances instead of importing the folder.', cause },
    );
  }
}

/** The id that a folder of ours was made for: what a deleted instance has left. */
async function managedId(directory: string, home: Home): Promise<string | undefined> {
  const id = path.basename(directory);
  const isOurs = path.dirname(directory) === (await realpath(home.instances)) && INSTANCE_ID_PATTERN.test(id);
  return isOurs ? id : undefined;
}

function nameOf(directory: string): string {
  return path.basename(directory).trim().slice(0, MAX_NAME).trim() || 'Server';
}
