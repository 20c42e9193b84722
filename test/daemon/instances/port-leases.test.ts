import t from 'tap';
import { createPortLeases } from '../../../daemon/instances/port-leases.ts';
import type { InstanceEvent, InstanceRecord } from '../../../shared/contract/daemon/instances.ts';
import type { PortUse } from '../../../shared/domain/instance/port-use.ts';
import { eventQueue } from '../../support/http/event-queue.ts';
import { until } from '../../support/machine/until.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

const tcp = (port: number, host?: string): PortUse => ({
  purpose: 'game',
  transport: 'tcp',
  port,
  ...(host && { host }),
});
const query = (port: number): PortUse => ({ purpose: 'query', transport: 'udp', port });
const rcon = (port: number): PortUse => ({ purpose: 'rcon', transport: 'tcp', port });

/** Leases on a registry that the test controls. */
function leasesOf(own: PortUse[] = []) {
  const events = eventQueue<InstanceEvent>();
  const record = (id: string, ports?: PortUse[], socket: string | null = '/socket'): InstanceRecord => ({
    config: instanceConfig({ id, name: id.toUpperCase() }),
    runtime: { phase: ports ? 'running' : 'stopped', ...(ports && { ports }) },
    socket,
  });
  const watching = new AbortController();
  const leases = createPortLeases({ get: (id) => record(id), watch: (signal) => events.subscribe(signal) }, () => own);
  void leases.follow(watching.signal);
  return {
    ...leases,
    show: (...parts: Parameters<typeof record>) => events.publish({ type: 'changed', instance: record(...parts) }),
    end: () => watching.abort(),
  };
}

t.test('of two servers that want a port one gets it, and the other gets the holder and the purpose', async (t) => {
  const leases = leasesOf();
  t.equal(leases.take('a', [tcp(25_565), query(25_565), rcon(25_575)]), null, 'TCP and UDP ports do not conflict');
  const holder = { id: 'a', name: 'A', purpose: 'rcon' };
  t.same(leases.take('b', [tcp(25_566), rcon(25_575)]), { wanted: rcon(25_575), holder });
  t.equal(leases.take('c', [tcp(25_566)]), null, 'a refused instance gets no port');
  t.match(leases.take('d', [query(25_565)]), { holder: { id: 'a', purpose: 'query' } });
  t.equal(leases.take('a', [tcp(25_565)]), null, 'its own leases do not conflict');
  t.equal(leases.take('b', [rcon(25_575)]), null, 'ports it no longer needs are free');
  leases.release('a');
  t.equal(leases.take('d', [tcp(25_565)]), null);
});

t.test('servers on different addresses can have the same port', async (t) => {
  const leases = leasesOf();
  t.equal(leases.take('a', [tcp(25_565, '192.0.2.1')]), null);
  t.equal(leases.take('b', [tcp(25_565, '::1')]), null);
  t.match(leases.take('c', [tcp(25_565, '192.0.2.1')]), { holder: { id: 'a' } });
  for (const everywhere of [undefined, '0.0.0.0', '::'])
    t.match(leases.take('c', [tcp(25_565, everywhere)]), { holder: { id: 'a' } });
});

t.test("Gamekeeper's own ports cannot be leased", async (t) => {
  const leases = leasesOf([tcp(25_580, '127.0.0.1')]);
  t.same(leases.take('a', [tcp(25_580)]), { wanted: tcp(25_580), holder: null });
});

t.test('the leases follow what supervisors report, including those of an earlier daemon', async (t) => {
  const leases = leasesOf();
  t.teardown(leases.end);
  const isFree = (port: number) => {
    const free = leases.take('asking', [tcp(port)]) === null;
    if (free) leases.release('asking');
    return free;
  };
  await until('it watches', () => {
    leases.show('old', [tcp(1000)]);
    return !isFree(1000);
  });
  leases.show('old');
  await until('a lease ends with its server', () => isFree(1000));

  leases.take('new', [tcp(2000)]);
  leases.show('new');
  leases.show('old', [tcp(1000)]);
  await until('the lease is reported', () => !isFree(1000));
  t.notOk(isFree(2000), 'a lease that is not reported yet is kept');
  leases.show('new', undefined, null);
  await until('a lease ends with its supervisor', () => isFree(2000));
});
