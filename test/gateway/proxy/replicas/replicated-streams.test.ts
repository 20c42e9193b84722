import t from 'tap';
import type { DaemonStreams } from '../../../../gateway/proxy/relay/daemon-streams.ts';
import type { Holders } from '../../../../gateway/proxy/replicas/holders.ts';
import { createReplicatedStreams } from '../../../../gateway/proxy/replicas/replicated-streams.ts';

const REQUEST = { daemonId: 'attic', headers: {}, endStream: true };

/** A replica whose link to the daemon takes no more requests, while the database names the replicas of `answers`, one after the other. */
function movingFrom(answers: (string | undefined)[], linksAtLook: (look: number) => boolean = () => false) {
  const asked: string[] = [];
  let looks = 0;
  const local: DaemonStreams = { open: async () => void asked.push('here') };
  const holders: Holders = {
    async find() {
      looks += 1;
      const replicaId = answers[Math.min(looks, answers.length) - 1];
      return replicaId === undefined ? undefined : { replicaId, url: '' };
    },
    forget: () => undefined,
  };
  const streams = createReplicatedStreams({
    links: { find: () => ({ isOpen: linksAtLook(looks) }) as never },
    local,
    holders,
    peers: {
      async open({ replicaId }) {
        asked.push(replicaId);
        return replicaId === 'new' ? 'opened' : 'no link';
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
  const { asked, open } = movingFrom(['old'], (look) => look >= 3);
  await open();
  t.same(asked, ['old', 'old', 'old', 'here']);
});

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
