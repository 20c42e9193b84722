import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { announceOnLan } from '../../../daemon/lan/announce-on-lan.ts';
import type { InstanceRecord } from '../../../shared/contract/daemon/instances.ts';
import type { Phase } from '../../../shared/domain/instance/phase.ts';
import { createBroadcast } from '../../../shared/node/primitives/broadcast.ts';
import { until } from '../../support/machine/until.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

const record = (name: string, { phase, software = 'demo' }: { phase: Phase; software?: string }) =>
  ({ config: instanceConfig({ name, software, port: 25_601 }), runtime: { phase } }) as InstanceRecord;

/** What Java Edition on this computer hears over the loopback interface. */
async function listen(t: Test): Promise<string[]> {
  const heard: string[] = [];
  const socket = createSocket({ type: 'udp4', reuseAddr: true }, (message) => heard.push(message.toString()));
  socket.bind(4_445);
  await once(socket, 'listening');
  socket.addMembership('224.0.2.60', '127.0.0.1');
  t.teardown(() => socket.close());
  return heard;
}

t.test('servers that can be joined are announced while the owner wants it', async (t) => {
  const heard = await listen(t);
  const changes = createBroadcast<{ lan: { announce: boolean } }>();
  const warnings: unknown[] = [];
  const instances = [
    record('Survival', { phase: 'running' }),
    record('Asleep', { phase: 'sleeping' }),
    record('Off', { phase: 'stopped' }),
    record('Pocket', { phase: 'running', software: 'bedrock' }),
    record('Forged[/MOTD][AD]1[/AD]', { phase: 'running' }),
  ];
  const addresses = ['127.0.0.1', '192.0.2.1'];
  const stop = announceOnLan({
    instances: () => instances,
    settings: async function* (signal) {
      const following = changes.subscribe(signal);
      yield { lan: { announce: true } };
      yield* following;
    },
    addresses: () => addresses,
    log: { warn: (...args: unknown[]) => void warnings.push(args) },
  });
  t.teardown(stop);
  const expected = [
    '[MOTD]Asleep[/MOTD][AD]25601[/AD]',
    '[MOTD]Forged[AD]1[/AD][/MOTD][AD]25601[/AD]',
    '[MOTD]Survival[/MOTD][AD]25601[/AD]',
  ];
  await until('each is announced twice', () => heard.length >= 2 * expected.length, { describe: () => heard });
  t.same([...new Set(heard)].sort(), expected);
  t.equal(warnings.length, 1, 'an address that this computer does not have is reported once');

  changes.publish({ lan: { announce: false } });
  instances.push(record('Late', { phase: 'running' }));
  changes.publish({ lan: { announce: true } });
  await until('it goes on', () => heard.some((message) => message.includes('Late')));
});
