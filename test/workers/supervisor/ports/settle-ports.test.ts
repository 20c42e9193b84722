import t from 'tap';
import type { PortConflict, PortUse } from '../../../../shared/domain/instance/port-use.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { PortWish } from '../../../../workers/supervisor/ports/game-ports.ts';
import { settlePorts } from '../../../../workers/supervisor/ports/settle-ports.ts';

const game: PortWish = { purpose: 'game', transport: 'tcp', port: 25_565, key: 'server-port', movable: false };
const rcon: PortWish = { purpose: 'rcon', transport: 'tcp', port: 25_575, key: 'rcon.port', movable: false };

/** Settles ports on a machine where instance `other` leases some ports and a program listens on others. */
function settle(wishes: PortWish[], { leased = [] as number[], busy = [] as number[], picks = [26_001, 26_002] } = {}) {
  const left = [...picks];
  return settlePorts(wishes, {
    async lease(ports): Promise<PortConflict | null> {
      const wanted = ports.find(({ port }) => leased.includes(port));
      return wanted ? { wanted, holder: { id: 'other', name: 'Other', purpose: 'query' } } : null;
    },
    async probe({ port }: PortUse) {
      if (busy.includes(port))
        throw new GamekeeperError('port_in_use', `The port ${port} is in use by sshd (process 7).`);
    },
    pick: async () => left.shift() ?? 26_999,
    suggest: async ({ purpose, port }) =>
      purpose === 'game' ? { setting: 'port', key: 'port', port: port + 1 } : undefined,
  });
}

const numbers = async (settled: ReturnType<typeof settle>) => (await settled).map(({ port }) => port);

t.test('free ports are kept', async (t) => {
  t.same(await numbers(settle([game, rcon])), [25_565, 25_575]);
  t.same(await numbers(settle([game, { ...rcon, port: undefined, movable: true }])), [25_565, 26_001]);
});

t.test('the holder of a port is named: a program, or an instance to callers who may see it', async (t) => {
  await t.rejects(settle([game, rcon], { leased: [25_575] }), {
    code: 'port_in_use',
    message: 'The RCON port 25575 is in use by another instance, as its query port.',
    resolution: 'Stop that instance, or give one of the two servers another port.',
    otherInstance: {
      id: 'other',
      detail: 'The RCON port 25575 is in use by the instance "other" (Other), as its query port.',
      resolution: 'Stop "other", or give one of the two servers another port.',
    },
  });
  await t.rejects(settle([game, rcon], { busy: [25_565] }), {
    ...{ code: 'port_in_use', message: /sshd \(process 7\)/ },
    change: { setting: 'port', key: 'port', port: 25_566 },
  });
});

t.test('a movable port gives way to instances, programs and other ports of its game', async (t) => {
  const movable = { ...rcon, movable: true };
  t.same(await numbers(settle([game, movable], { leased: [25_575], busy: [26_001] })), [25_565, 26_002]);
  t.same(await numbers(settle([{ ...game, port: 25_575 }, movable])), [25_575, 26_001]);
  t.same(await numbers(settle([movable, { ...game, port: 25_575 }])), [26_001, 25_575], 'in either order');
  await t.rejects(
    settle([game, movable], { leased: [25_575, 26_999], picks: [] }),
    { code: 'port_in_use' },
    'after a limited number of attempts',
  );
});

t.test('two equal ports of one game are an error', async (t) => {
  await t.rejects(settle([game, { ...rcon, port: 25_565 }]), {
    code: 'port_in_use',
    message: "The RCON port 25565 is also the server's port.",
    resolution: /rcon\.port/,
  });
  t.same(
    await numbers(settle([game, { ...rcon, purpose: 'query', transport: 'udp', port: 25_565 }])),
    [25_565, 25_565],
  );
});

t.test('any other failure of a probe is passed on', async (t) => {
  const failing = settlePorts([{ ...rcon, movable: true }], {
    lease: async () => null,
    probe: async () => {
      throw new GamekeeperError('launch_failed', 'No such address.');
    },
    pick: async () => 26_001,
    suggest: async () => undefined,
  });
  await t.rejects(failing, { code: 'launch_failed' });
});
