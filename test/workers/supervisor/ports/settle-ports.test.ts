import t from 'tap';
import type { PortConflict, PortUse } from '../../../../shared/domain/port-use.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { PortWish } from '../../../../workers/supervisor/ports/game-ports.ts';
import { settlePorts } from '../../../../workers/supervisor/ports/settle-ports.ts';

const game: PortWish = { purpose: 'game', transport: 'tcp', port: 25_565, key: 'server-port', movable: false };
const rcon: PortWish = { purpose: 'rcon', transport: 'tcp', port: 25_575, key: 'rcon.port', movable: false };

/** A machine on which these are leased to instance `other`, and those are taken by a program. */
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
  });
}

const numbers = async (settled: ReturnType<typeof settle>) => (await settled).map(({ port }) => port);

t.test('ports that are free are taken as they are', async (t) => {
  t.same(await numbers(settle([game, rcon])), [25_565, 25_575]);
  t.same(await numbers(settle([game, { ...rcon, port: undefined, movable: true }])), [25_565, 26_001]);
});

t.test('who has the port is named: the instance, to those who can see it, or the program', async (t) => {
  await t.rejects(settle([game, rcon], { leased: [25_575] }), {
    code: 'port_in_use',
    message: 'The RCON port 25575 is in use by another instance, as its query port.',
    resolution: 'Stop that one, or give one of the two another port.',
    otherInstance: {
      id: 'other',
      detail: 'The RCON port 25575 is in use by the instance "other" (Other), as its query port.',
      resolution: 'Stop "other", or give one of the two another port.',
    },
  });
  await t.rejects(settle([game, rcon], { busy: [25_565] }), { code: 'port_in_use', message: /sshd \(process 7\)/ });
});

t.test('what nobody depends on gives way to instances, programs and its own game', async (t) => {
  const movable = { ...rcon, movable: true };
  t.same(await numbers(settle([game, movable], { leased: [25_575], busy: [26_001] })), [25_565, 26_002]);
  t.same(await numbers(settle([{ ...game, port: 25_575 }, movable])), [25_575, 26_001]);
  t.same(await numbers(settle([movable, { ...game, port: 25_575 }])), [26_001, 25_575], 'whichever comes first');
  await t.rejects(
    settle([game, movable], { leased: [25_575, 26_999], picks: [] }),
    { code: 'port_in_use' },
    'not for ever',
  );
});

t.test('two ports of one game that are the same are told', async (t) => {
  await t.rejects(settle([game, { ...rcon, port: 25_565 }]), {
    code: 'port_in_use',
    message: "The RCON port 25565 is the server's port as well.",
    resolution: /rcon\.port/,
  });
  t.same(
    await numbers(settle([game, { ...rcon, purpose: 'query', transport: 'udp', port: 25_565 }])),
    [25_565, 25_565],
  );
});

t.test('what is no matter of a port in use is told as it is', async (t) => {
  const failing = settlePorts([{ ...rcon, movable: true }], {
    lease: async () => null,
    probe: async () => {
      throw new GamekeeperError('launch_failed', 'No such address.');
    },
    pick: async () => 26_001,
  });
  await t.rejects(failing, { code: 'launch_failed' });
});
