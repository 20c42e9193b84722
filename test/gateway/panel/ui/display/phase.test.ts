import t from 'tap';
import { failedToStart } from '../../../../../gateway/panel/src/ui/display/phase.ts';

t.test('only a start that never had a process is no crash', (t) => {
  const crash = { at: '2026-11-20T12:00:00Z', reason: 'No disk space', exitCode: null, signal: null, restarts: 0 };
  const failed = { ...crash, failedStart: { code: 'insufficient_storage' } };
  t.equal(failedToStart({ phase: 'crashed', crash: failed }), true);
  t.equal(failedToStart({ phase: 'crashed', crash }), false, 'a recovered game, whose exit code is unknown');
  t.equal(failedToStart({ phase: 'stopped', crash: failed }), false, 'a former one');
  t.end();
});
