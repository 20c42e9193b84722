import t from 'tap';
import { cutLines } from '../../../../workers/jobs/software/cut-lines.ts';

async function linesOf(...parts: string[]): Promise<string[]> {
  return Array.fromAsync(
    cutLines(
      (async function* () {
        yield* parts;
      })(),
      5,
    ),
  );
}

t.test('lines may come in pieces, and the last one needs no end', async (t) => {
  t.same(await linesOf('on', 'e\ntw', 'o\r\nthree\r4'), ['one', 'two', 'three', '4']);
  t.same(await linesOf('one\n'), ['one']);
  t.same(await linesOf(), []);
});

t.test('a long line is cut, whatever pieces it comes in', async (t) => {
  t.same(await linesOf('1234567\n1', '23', '4567', '8\nnext'), ['12345', '12345', 'next']);
});
