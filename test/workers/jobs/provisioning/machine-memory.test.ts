import { totalmem } from 'node:os';
import t from 'tap';
import { machineMemory } from '../../../../workers/jobs/provisioning/machine-memory.ts';

const GIB = 1024 ** 3;

t.test('servers can have the machine’s memory, or the container’s limit if it is lower', async (t) => {
  t.equal(machineMemory({ total: 16 * GIB, constrained: 2 * GIB }), 2 * GIB);
  t.equal(machineMemory({ total: 16 * GIB, constrained: 32 * GIB }), 16 * GIB);
  for (const none of [0, 2 ** 64]) t.equal(machineMemory({ total: 16 * GIB, constrained: none }), 16 * GIB);
  const own = machineMemory();
  t.ok(own > 0 && own <= totalmem());
});
