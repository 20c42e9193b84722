import { read, write, writev } from 'node:fs';

/**
 * Options of a stream over a descriptor that somebody else closes. With `autoClose: false` alone, a stream that is destroyed closes it all the same;
 * its owner would then close whatever has got its number by then.
 */
export const BORROWED = {
  autoClose: false,
  fs: { read, write, writev, close: (_descriptor: number, done: () => void) => done() },
};
