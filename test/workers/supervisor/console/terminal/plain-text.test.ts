import t from 'tap';
import { plainText } from '../../../../../workers/supervisor/console/terminal/plain-text.ts';

t.test('text is shown as the console would show it', async (t) => {
  t.equal(plainText('one\r\n\x1b[31mtwo\x1b[0m\r\r\n50 %\r100 %\n'), 'one\ntwo\n100 %\n');
});

t.test('an answer full of CRs takes no longer than another one', async (t) => {
  const began = performance.now();
  t.equal(plainText(`a${'\r'.repeat(256 * 1024)}b`), 'b');
  t.equal(plainText(`a${'\r'.repeat(256 * 1024)}`), 'a');
  t.ok(performance.now() - began < 5_000, 'it took minutes');
});
