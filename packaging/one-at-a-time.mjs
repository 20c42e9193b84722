// @ts-check
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often to check whether the other process is done, milliseconds. */
const POLL_MS = 200;

/**
 * Runs `work` while no other process does, for example when `npm start` in one terminal and `npx gamekeeper` in another both want to install.
 * Waits for the other process, unless it died.
 *
 * @template T
 * @param {string} lockFile contains the holder's process id
 * @param {{ work: () => Promise<T>, onWait: (pid: number) => void }} options `onWait` is called once if it has to wait
 * @returns {Promise<T>}
 */
export async function oneAtATime(lockFile, { work, onWait }) {
  let isWaiting = false;
  for (;;) {
    const holder = tryLock(lockFile);
    if (holder === undefined) break;
    if (!isWaiting) onWait(holder);
    isWaiting = true;
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
 * @returns {number | undefined} the process that holds the lock; undefined if this process has it now
 */
function tryLock(lockFile) {
  const mine = `${lockFile}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, lockFile); // unlike an exclusive open, this never shows a lock without a process id
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
    return undefined; // released since the attempt
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
