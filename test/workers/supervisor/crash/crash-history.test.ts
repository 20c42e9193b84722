import t, { type Test } from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { CrashHistory } from '../../../../workers/supervisor/crash/crash-history.ts';
import { RESTART_BACK_OFF } from '../../../../workers/supervisor/crash/crash-policy.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Sets this process's clock; the end of the test resets it. */
function setClock(t: Test): (byMs: number) => void {
  const { now } = Date;
  let offset = 0;
  Date.now = () => now() + offset;
  t.teardown(() => {
    Date.now = now;
  });
  return (byMs) => {
    offset = byMs;
  };
}

t.test('the crash policy gives up whatever the system clock does', async (t) => {
  const jump = setClock(t);
  for (const direction of [1, -1]) {
    const history = new CrashHistory(RESTART_BACK_OFF);
    const policy = { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 } as const;
    const verdicts = [];
    for (let crash = 1; crash <= 4; crash++) {
      jump(direction * crash * DAY_MS);
      verdicts.push(history.judge({ failed: true, wasReady: true, policy }).verdict);
      history.noteRestart();
    }
    t.same(verdicts, ['restart', 'restart', 'restart', 'give-up']);
  }
});

t.test('refused restarts are delayed more and more, and leave the restarts of the policy', async (t) => {
  const history = new CrashHistory({ firstMs: 1_000, maxMs: 60_000 });
  const policy = { restart: 'on-failure', maxRestarts: 1, windowSeconds: 600 } as const;
  const judge = () => history.judge({ failed: true, wasReady: true, policy });
  let delay = 0;
  for (let refusal = 1; refusal <= 5; refusal++) {
    const verdict = judge();
    t.ok(verdict.verdict === 'restart' && verdict.delayMs > delay, JSON.stringify(verdict));
    delay = verdict.verdict === 'restart' ? verdict.delayMs : 0;
    history.noteRefusal();
  }
  history.noteRestart();
  t.same(judge(), { verdict: 'give-up' });
});

t.test('a failed start hides the last crash until the server has started', async (t) => {
  const history = new CrashHistory(RESTART_BACK_OFF);
  const policy = { restart: 'never', maxRestarts: 1, windowSeconds: 600 } as const;
  const crash = history.noteCrash({ exitCode: 7, signal: null, policy }, { reason: 'It fell.' });
  const failure = history.noteFailure(new GamekeeperError('eula_not_accepted', 'Not accepted.'), String);
  t.match(failure, { failedStart: { code: 'eula_not_accepted' } });
  t.equal(history.last, failure);
  history.forgetFailure();
  t.equal(history.last, crash);
  const next = new CrashHistory(RESTART_BACK_OFF, { last: failure });
  next.forgetFailure();
  t.equal(next.last, undefined, 'the next supervisor knows only the failure');
});
