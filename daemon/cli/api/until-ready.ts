import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../../shared/node/files/home.ts';
import { readJsonRecord } from '../../../shared/node/files/json-record.ts';
import type { ReadyRecord } from '../../home/ready-file.ts';
import { Failure } from './failure.ts';
import { lockOwner } from './lock-owner.ts';

/** A daemon is ready in a second, or later if it migrates a large database on a slow disk. Milliseconds. */
const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

/**
 * Waits until a daemon holds the data directory and serves. Throws a Failure, worded to follow a colon, if that takes too long or `hasFailed`
 * returns true.
 */
export async function untilReady(home: Home, hasFailed: () => boolean | Promise<boolean>): Promise<ReadyRecord> {
  for (const begun = performance.now(); performance.now() - begun < READY_WITHIN_MS; await delay(LOOK_EVERY_MS)) {
    const owner = await lockOwner(home);
    const record = (await readJsonRecord(home.daemonRecord).catch(() => undefined)) as ReadyRecord | undefined;
    if (owner && record?.pid === owner.pid) return record;
    if (await hasFailed()) throw new Failure('it exited during its start.');
  }
  throw new Failure(`it was not ready within ${READY_WITHIN_MS / 1000} s.`);
}
