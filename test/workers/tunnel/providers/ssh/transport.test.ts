import t from 'tap';
import { createProvider } from '../../../../../workers/tunnel/providers/create-provider.ts';
import { freePort } from '../../../../support/machine/free-port.ts';

t.test('a game over UDP is refused in plain words, as SSH forwards only TCP', async (t) => {
  const provider = createProvider(
    { provider: 'ssh', host: '127.0.0.1', port: await freePort(), username: 'anna', bindAddress: '', remotePort: 0 },
    { folder: '/nowhere', instance: 'demo', askPermit: () => Promise.reject(new Error('there is no proxy')) },
  );
  const open = (probe: 'java' | 'tcp' | 'bedrock' | 'udp') =>
    provider.open(() => ({ host: '127.0.0.1', port: 1, probe, answers: true }), new AbortController().signal, {
      claim: () => undefined,
      learned: () => undefined,
    });
  for (const probe of ['bedrock', 'udp'] as const) await t.rejects(open(probe), { message: /uses UDP/ }, probe);
  for (const probe of ['java', 'tcp'] as const) await t.rejects(open(probe), { message: /refuses/ }, probe);
});
