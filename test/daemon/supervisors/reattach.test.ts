import { symlink } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { prepareHome } from '../../../daemon/home/home-directories.ts';
import { createRegistry } from '../../../daemon/instances/registry.ts';
import { openStore } from '../../../daemon/store/store.ts';
import { reattach } from '../../../daemon/supervisors/reattach.ts';
import type { SupervisorLink } from '../../../daemon/supervisors/supervisor-link.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

/** Reattaches to a supervisor that rejects each call with the error that `refusals` has for it. */
async function reattaching(t: Test, refusals: Record<string, Error>) {
  const home = homeAt(temporaryFolder(t));
  await prepareHome(home);
  const store = openStore(path.join(home.root, 'db'));
  t.teardown(() => store[Symbol.dispose]());
  const log = createLogger({ name: 'test', level: 'silent' });
  const registry = createRegistry(store.instances, log);
  registry.save(instanceConfig({ id: 'demo' }));
  registry.attach('demo', home.supervisorSocket('demo'));
  const heard: string[] = [];
  const call = new Proxy(
    {},
    {
      get: (_, name: string) => async () => {
        if (refusals[name]) throw refusals[name];
        heard.push(name);
        return { phase: 'running' };
      },
    },
  );
  const link = { client: { call }, isCompatible: true } as unknown as SupervisorLink;
  return {
    home,
    registry,
    heard,
    reattach: () =>
      reattach('demo', link, {
        home,
        registry,
        log,
        policy: { redaction: () => ({ patterns: [], exceptions: [] }), software: () => [{ id: 'own' } as never] },
      }),
  };
}

const SILENT = new GamekeeperError('worker_unavailable', 'It did not answer in time.');

t.test('a supervisor that does not answer is shown as unresponsive, even if its game cannot be checked', async (t) => {
  const { home, registry, reattach } = await reattaching(t, { configure: SILENT });
  // Like a lack of descriptors: the check fails with another error than a missing record.
  await symlink(home.gameRecord('demo'), home.gameRecord('demo'));
  t.equal(await reattach(), false);
  t.match(registry.get('demo').runtime, { phase: 'stopped', degraded: 'unresponsive' });
});

t.test('a supervisor that ends meanwhile is not shown as unresponsive', async (t) => {
  const { registry, reattach } = await reattaching(t, { configure: SILENT });
  const answered = reattach();
  registry.detach('demo');
  t.equal(await answered, false);
  t.notOk(registry.get('demo').runtime.degraded);
});

t.test('a refusal by an earlier version does not stop the other changes', async (t) => {
  const unknown = new GamekeeperError('invalid_request', 'No such procedure.');
  const { registry, heard, reattach } = await reattaching(t, { setSoftware: unknown, configure: unknown });
  t.equal(await reattach(), true);
  t.same(heard, ['setRedaction', 'status']);
  t.match(registry.get('demo').runtime, { phase: 'running' });
  t.notOk(registry.get('demo').runtime.degraded);
});
