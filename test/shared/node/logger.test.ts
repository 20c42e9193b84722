import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

/** A disk that is always full (full(4)). */
const FULL = '/dev/full';

t.test(
  'a log that cannot be written ends no process, and waiting lines are limited',
  { skip: !existsSync(FULL) },
  (t) => {
    const log = createLogger({ name: 'test', level: 'info', file: FULL });
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 20_000; n++) log.info({ text: 'x'.repeat(4_000) }, 'a line');
    t.ok(process.memoryUsage().rss - before < 60_000_000, 'most of the 80 MB are dropped');
    t.end();
  },
);

t.test('a line has nothing that a terminal obeys, and its text is kept', (t) => {
  const file = path.join(temporaryFolder(t), 'test.log');
  const log = createLogger({ name: 'test', level: 'info', file });
  // C0 and C1 controls, DEL, right-to-left override, zero width space, line separator, tag characters.
  const text = 'a\x1b[2J\n\x9b31m\x7f\u202e\u200b\u2028\u{e0041}z';
  log.warn({ err: new Error(text), file: text }, text);
  const line = readFileSync(file, 'utf8');
  t.notMatch(line.trimEnd(), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  t.match(JSON.parse(line), { msg: text, file: text, err: { message: text } });
  t.end();
});
