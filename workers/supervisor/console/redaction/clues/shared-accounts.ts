import { latin1 } from '../scan/byte-classes.ts';

const SHARED = new Set([
  'container',
  'root',
  'system',
  'public',
  'default',
  'shared',
  'all',
  'all users',
  'default user',
]);

/** Returns whether every machine has this account or folder of accounts, so that its name says nothing about a person. */
export function isSharedAccount(text: Buffer, start: number, end: number): boolean {
  return SHARED.has(latin1(text, start, end).toLowerCase());
}
