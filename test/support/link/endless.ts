import { Readable } from 'node:stream';

/** Data without an end, made as fast as it is read. */
export function endless(): Readable {
  const chunk = Buffer.alloc(16 * 1024, 'x');
  return new Readable({
    read() {
      this.push(chunk);
    },
  });
}
