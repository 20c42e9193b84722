import t from 'tap';
import { compilePattern } from '../../../../workers/supervisor/game/game-rules.ts';

t.test('the error about an invalid pattern names its setting', async (t) => {
  t.throws(() => compilePattern('(', 'readyPattern'), { code: 'invalid_request', message: /^readyPattern / });
});
