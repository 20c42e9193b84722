import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { tunnelWish } from '../../../../workers/supervisor/tunnel/tunnel-wish.ts';

const settings = { provider: 'static', address: 'a.example', mapping: 'none' } as const;
const config = { tunnel: settings, port: 25_570 };
const definition = softwareOf('paper');

t.test('a server has its tunnel while it is up, sleeps, or is about to restart', async (t) => {
  const target = (phase: Parameters<typeof tunnelWish>[0]['runtime']) =>
    tunnelWish({ config, definition, runtime: phase, address: undefined })?.target;
  t.match(target({ phase: 'running' }), { host: '127.0.0.1', port: 25_570, probe: 'java', answers: true });
  t.match(target({ phase: 'sleeping' }), { answers: true });
  for (const phase of ['provisioning', 'starting', 'stopping'] as const)
    t.match(target({ phase }), { answers: false }, phase);
  t.match(target({ phase: 'crashed', javaProgram: null }), { answers: false }, 'a restart is due');
  t.equal(target({ phase: 'crashed' }), undefined);
  t.equal(target({ phase: 'stopped' }), undefined);
});

t.test('the target is where the game listens', async (t) => {
  const wish = tunnelWish({
    config,
    definition: softwareOf('bedrock'),
    runtime: { phase: 'running' },
    address: { host: '192.0.2.3', port: 19_140 },
  });
  t.same(wish, { settings, target: { host: '192.0.2.3', port: 19_140, probe: 'bedrock', answers: true } });
});

t.test('there is none without settings, or for a kind that does not exist any more', async (t) => {
  const runtime = { phase: 'running' } as const;
  t.equal(tunnelWish({ config: { port: 1 }, definition, runtime, address: undefined }), undefined);
  t.equal(tunnelWish({ config, definition: undefined, runtime, address: undefined }), undefined);
});
