/** Replicas and PostgreSQL die while accounts and grants are made: what was acknowledged is there afterwards, and no proxy process died by itself. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { until } from '../../../support/machine/until.ts';
import type { RunningProxy } from '../../../support/proxy/proxy-process.ts';
import { twoReplicas } from '../../../support/proxy/two-replicas.ts';

/** Longer than a replica goes on without its lease. */
const AWAY_MS = 15_000;
const HUNG_MS = 3_000;
/** Below what an account may have (gateway/proxy/oauth/grants.ts). */
const MOST_GRANTS = 150;

const both = await twoReplicas(t);
if (both) {
  const { world, replicas, postgres } = both;
  const [first, second] = replicas;
  const attic = await world.link('anna');
  const browser = await world.browser('anna');

  t.test('no acknowledged account or grant is lost', async (t) => {
    const grants: string[] = [];
    const accounts: string[] = [];
    let isOver = false;
    /** What fails was not acknowledged. */
    async function often(make: () => Promise<void>): Promise<void> {
      while (!isOver) await make().catch(() => delay(100));
    }
    const work = Promise.all([
      often(async () => {
        if (grants.length >= MOST_GRANTS) return delay(100);
        const { refresh_token: token } = await world.tokens(browser, [attic.daemonId]);
        return void grants.push(token!);
      }),
      often(async () => {
        const name = `user${accounts.length}-${Math.random().toString(36).slice(2, 8)}`;
        await world.proxy.addUser(name);
        accounts.push(name);
      }),
    ]);
    const moved = (what: string) => {
      const [before, people] = [grants.length, accounts.length];
      return until(
        `${what}: it goes on`,
        () => (grants.length > before || grants.length >= MOST_GRANTS) && accounts.length > people,
        { deadlineMs: 60_000, describe: () => ({ grants: grants.length, accounts: accounts.length }) },
      );
    };
    const killed = async ({ proxy }: { proxy: RunningProxy }) => {
      await proxy.end('SIGKILL');
      await proxy.start();
    };

    await moved('at first');
    await killed(second);
    await moved('a replica was killed');
    await killed(first);
    await moved('the other one was killed');
    process.kill(second.proxy.pid, 'SIGSTOP');
    await delay(HUNG_MS);
    process.kill(second.proxy.pid, 'SIGCONT');
    await moved('a replica hung');
    const pids = replicas.map(({ proxy }) => proxy.pid);
    await postgres.stop();
    await delay(AWAY_MS);
    await postgres.start();
    await moved('PostgreSQL was away');
    postgres.signal('SIGSTOP');
    await delay(HUNG_MS);
    postgres.signal('SIGCONT');
    await moved('PostgreSQL hung');
    isOver = true;
    await work;

    t.same(
      replicas.map(({ proxy }) => proxy.pid),
      pids,
    );
    for (const pid of pids) t.doesNotThrow(() => process.kill(pid, 0), 'no proxy process has died by itself');
    for (const [index, token] of grants.entries()) {
      const { address } = index % 2 === 0 ? first : second;
      const answer = await fetch(`${address}/oauth/token`, {
        method: 'POST',
        headers: { authorization: world.authorization },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, resource: attic.resource }),
      });
      t.equal(answer.status, 200, `grant ${index}`);
      await answer.text();
    }
    const { stdout } = await world.proxy.command(['user', 'list', '--json']);
    const known = JSON.parse(stdout) as { name: string }[];
    for (const name of accounts)
      t.ok(
        known.some((account) => account.name === name),
        name,
      );
    t.comment(`${grants.length} grants, ${accounts.length} accounts`);
  });
}
