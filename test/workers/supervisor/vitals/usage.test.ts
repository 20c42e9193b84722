import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { sampleProcessTree } from '../../../../workers/supervisor/process/process-tree.ts';
import { usageBetween } from '../../../../workers/supervisor/vitals/usage.ts';

t.test('CPU is a share of one core, memory the sum over the process tree', async (t) => {
  const before = { at: 0, processes: [{ pid: 1, cpuTicks: 100, residentKib: 1024 }] };
  const after = {
    at: 2_000,
    processes: [
      { pid: 1, cpuTicks: 200, residentKib: 2_048 },
      { pid: 2, cpuTicks: 50, residentKib: 1_024 },
    ],
  };
  t.strictSame(usageBetween(before, after), { cpuPercent: 75, memoryUsedMb: 3 });
});

t.test('an ended process does not reduce the CPU time', async (t) => {
  const before = { at: 0, processes: [{ pid: 1, cpuTicks: 500, residentKib: 0 }] };
  t.strictSame(usageBetween(before, { at: 1_000, processes: [{ pid: 1, cpuTicks: 3, residentKib: 0 }] }), {
    cpuPercent: 0,
    memoryUsedMb: 0,
  });
});

t.test('the tree contains grandchildren', { skip: process.platform !== 'linux' }, async (t) => {
  const child = spawn('sh', ['-c', 'sh -c "sleep 100; true" & echo up; wait'], { detached: true });
  t.teardown(() => process.kill(-(child.pid ?? 0), 'SIGKILL'));
  await once(child.stdout, 'data');
  const deadline = Date.now() + 5_000;
  const count = () => sampleProcessTree(child.pid ?? 0).length;
  while (count() < 3 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
  t.equal(count(), 3);
  t.ok(sampleProcessTree(child.pid ?? 0).every(({ residentKib }) => residentKib > 0));
});

t.test('the tree of a missing process is empty', async (t) => {
  t.strictSame(sampleProcessTree(2 ** 30), []);
});
