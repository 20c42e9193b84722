import t from 'tap';
import type { DaemonStreams } from '../../../../gateway/proxy/relay/daemon-streams.ts';
import type { Holders } from '../../../../gateway/proxy/replicas/holders.ts';
import { createReplicatedStreams } from '../../../../gateway/proxy/replicas/replicated-streams.ts';

const REQUEST = { daemonId: 'attic', headers: {}, endStream: true };

/** A replica whose link to the daemon takes no more requests, while the database names the replicas of `answers`, one after the other. */
function movingFrom(
  answers: (string | undefined)[],
  { linksAtLook = () => false, isMoving = false }: { linksAtLook?: (look: number) => boolean; isMoving?: boolean } = {},
) {
  const asked: string[] = [];
  let looks = 0;
  const local: DaemonStreams = { open: async () => void asked.push('here') };
  const holders: Holders = {
    async find() {
      looks += 1;
      const replicaId = answers[Math.min(looks, answers.length) - 1];
      return replicaId === undefined ? undefined : { replicaId, url: '' };
    },
    doubt: () => undefined,
  };
  const streams = createReplicatedStreams({
    links: { find: () => ({ isOpen: linksAtLook(looks) }) as never, isMoving: () => isMoving },
    local,
    holders,
    peers: {
      async open({ replicaId }) {
        asked.push(replicaId);
        if (replicaId === 'new') return 'opened';
        return replicaId === 'ended' ? 'not reached' : 'no link';
      },
      close: () => undefined,
    },
    directory: { find: async () => undefined },
  });
  return { asked, open: () => streams.open(REQUEST, () => undefined) };
}

t.test('a daemon that moves is found where it is, although the database learns it later', async (t) => {
  const { asked, open } = movingFrom(['old', 'old', 'old', 'new']);
  await open();
  t.same(asked, ['old', 'old', 'old', 'new']);
});

t.test('a daemon that comes here meanwhile is found', async (t) => {
  const { asked, open } = movingFrom(['old'], { linksAtLook: (look) => look >= 3 });
  await open();
  t.same(asked, ['old', 'old', 'old', 'here']);
});

t.test(
  'a daemon that was told to leave this replica is found, although the database does not know where it went',
  async (t) => {
    const { asked, open } = movingFrom([undefined, undefined, undefined, 'new'], { isMoving: true });
    await open();
    t.same(asked, ['new']);
    const gone = movingFrom([undefined], { isMoving: true });
    await t.rejects(gone.open(), { code: 'daemon_unavailable' });
  },
);

t.test(
  'a daemon that has left a replica that ended is found; a replica that cannot be reached is not asked twice',
  async (t) => {
    const { asked, open } = movingFrom(['ended', 'new']);
    await open();
    t.same(asked, ['ended', 'new']);
    const dead = movingFrom(['ended']);
    await t.rejects(dead.open(), { code: 'proxy_unavailable', retryAfterSeconds: 2 });
    t.same(dead.asked, ['ended']);
  },
);

t.test('a daemon that is nowhere is reported at once', async (t) => {
  const { asked, open } = movingFrom([undefined]);
  await t.rejects(open(), { code: 'daemon_unavailable' });
  t.same(asked, []);
});

t.test('a daemon that cannot be found is given up', async (t) => {
  const { asked, open } = movingFrom(['old']);
  await t.rejects(open(), { code: 'daemon_unavailable' });
  t.equal(asked.length, 6);
});
