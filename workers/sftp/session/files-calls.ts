import type { FilesClient } from '../../../shared/node/ipc/connect.ts';

/** The calls of the files process that sessions make. */
export type FilesCalls = FilesClient['call'];

/** A disk may take its time: the session ends before this does. */
export const UNTIMED = { timeoutMs: 0 };
