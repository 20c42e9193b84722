import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../../shared/node/files/home.ts';
import type { ReadyRecord } from '../../home/ready-file.ts';
import { Failure } from './failure.ts';
import { lockOwner } from './lock-owner.ts';

/** A daemon is ready in a second; one that migrates a large database on a slow disk takes longer. Milliseconds. */
const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

/**
 * Waits until a daemon has the data directory and serves. Throws Failure, worded to follow a colon, where it takes too long, or
 * `hasFailed` says meanwhile that it has ended.
 */
export async function untilReady(home: Home, hasFailed: () => boolean | Promise<boolean>): Promise<ReadyRecord> {
  for (const begun = performance.now(); performance.now() - begun < READY_WITHIN_MS; await delay(LOOK_EVERY_MS)) {
    const owner = await lockOwner(home);
    const record = await readReady(home);
    if (owner && record?.pid === owner.pid) return record;
    if (await hasFailed()) throw new Failure('it ended at its start.');
  }
  throw new Failure(`it did not get ready within ${READY_WITHIN_MS / 1000} s.`);
}

async function readReady(home: Home): Promise<ReadyRecord | undefined> {
  try {
    return JSON.parse(await readFile(home.daemonRecord, 'utf8')) as ReadyRecord;
  } catch {
    return undefined; // not there until it is ready
  }
}
