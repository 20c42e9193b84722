import t from 'tap';
import { failedToStart } from '../../../../../gateway/panel/src/ui/display/phase.ts';

t.test('a start that never had a process is no crash', (t) => {
  const crash = { at: '2026-11-20T12:00:00Z', reason: 'No disk space', exitCode: null, signal: null, restarts: 0 };
  t.equal(failedToStart({ phase: 'crashed', crash }), true);
  t.equal(failedToStart({ phase: 'crashed', crash: { ...crash, exitCode: 1 } }), false);
  t.equal(failedToStart({ phase: 'crashed', crash: { ...crash, signal: 'SIGKILL' } }), false);
  t.equal(failedToStart({ phase: 'stopped', crash }), false, 'a former one');
  t.end();
});
