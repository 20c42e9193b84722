import { Readable } from 'node:stream';
import t from 'tap';
import { cutLines } from '../../../../workers/jobs/software/cut-lines.ts';

async function linesOf(...parts: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of cutLines(Readable.from(parts), 5)) lines.push(line);
  return lines;
}

t.test('lines may come in pieces, and the last one needs no end', async (t) => {
  t.same(await linesOf('on', 'e\ntw', 'o\r\nthree\r4'), ['one', 'two', 'three', '4']);
  t.same(await linesOf('one\n'), ['one']);
  t.same(await linesOf(), []);
});

t.test('a long line is cut, whatever pieces it comes in', async (t) => {
  t.same(await linesOf('1234567\n1', '23', '4567', '8\nnext'), ['12345', '12345', 'next']);
});
