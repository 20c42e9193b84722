// @ts-check
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often to look whether the other one is done, in milliseconds: often enough for a person, and cheap. */
const POLL_MS = 200;

/**
 * Does `work` while no other process does the same (say, `npm start` in one terminal and `npx gamekeeper` in another
 * would both want to install). Waits for the other one; a process that died holding the lock does not count.
 *
 * @template T
 * @param {string} lockFile where the holder writes its process id
 * @param {{ work: () => Promise<T>, onWait: (pid: number) => void }} options `onWait` is called once, if it has to wait
 * @returns {Promise<T>}
 */
export async function oneAtATime(lockFile, { work, onWait }) {
  let told = false;
  for (;;) {
    const holder = tryLock(lockFile);
    if (holder === undefined) break;
    if (!told) onWait(holder);
    told = true;
    await sleep(POLL_MS);
  }
  const unlock = () => rmSync(lockFile, { force: true });
  process.once('exit', unlock);
  try {
    return await work();
  } finally {
    process.off('exit', unlock);
    unlock();
  }
}

/**
 * @param {string} lockFile
 * @returns {number | undefined} the process that holds the lock; undefined when it is ours now
 */
function tryLock(lockFile) {
  const mine = `${lockFile}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, lockFile); // Unlike an exclusive open, it never shows the others a lock without a process id in it.
    return undefined;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(mine);
  }
  const holder = readHolder(lockFile);
  if (holder !== undefined && isAlive(holder)) return holder;
  rmSync(lockFile, { force: true });
  return tryLock(lockFile);
}

/** @param {string} lockFile */
function readHolder(lockFile) {
  try {
    return Number.parseInt(readFileSync(lockFile, 'utf8'), 10) || undefined;
  } catch {
    return undefined; // Released between our attempt and this look.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, as another user's process.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
