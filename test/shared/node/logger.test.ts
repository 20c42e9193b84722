import { existsSync } from 'node:fs';
import t from 'tap';
import { createLogger } from '../../../shared/node/logger.ts';

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
