import t from 'tap';
import { explainOutsideFailure } from '../../../../gateway/services/tunnel/outside-failure.ts';

t.test('the advice fits the way that players come', async (t) => {
  t.match(explainOutsideFailure('refused', 'static'), /refuses connections. Check that its port is forwarded/);
  t.match(explainOutsideFailure('no-answer', 'ssh'), /Nothing answers there. .*GatewayPorts/);
  for (const provider of ['ssh', 'frp', 'playit', 'relay'] as const)
    for (const failure of ['refused', 'closed', 'no-answer', 'private', 'not-minecraft'] as const)
      t.notMatch(explainOutsideFailure(failure, provider), /forward|router/, `${provider}: ${failure}`);
});
