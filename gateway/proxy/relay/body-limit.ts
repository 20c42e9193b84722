import { Transform } from 'node:stream';

/** Passes a body on, and fails at the first byte too many. */
export function limitBody(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(new Error('The body is too large.'));
      else done(null, chunk);
    },
  });
}
