import t from 'tap';
import type { Instance } from '../../../../../../gateway/panel/src/api/transport/client.ts';
import { memoryRange, memoryShare } from '../../../../../../gateway/panel/src/pages/new-server/memory/memory-share.ts';

const server = (id: string, phase: NonNullable<Instance['phase']>, memoryMb?: number): Instance => ({
  ...{ id, name: id, software: 'paper', version: '1.21.8', port: 25_565, phase },
  status: phase === 'running' ? 'running' : 'stopped',
  ...(memoryMb !== undefined && { memoryMb }),
});

t.test('servers that do not run take no memory', async (t) => {
  const others = [
    ...[server('a', 'running', 4_096), server('b', 'running')],
    ...[server('c', 'stopped', 9_000), server('d', 'crashed', 9_000), server('e', 'sleeping', 9_000)],
  ];
  t.same(memoryShare(2_048, 16_384, others), { leftMb: 14_336, othersMb: 4_096, isTight: false });
});

t.test('it is tight if the system and the servers that run now do not fit into what is left', async (t) => {
  t.equal(memoryShare(7_168, 8_192, []).isTight, false);
  t.equal(memoryShare(7_169, 8_192, []).isTight, true);
  const others = [server('a', 'running', 2_048)];
  t.equal(memoryShare(5_120, 8_192, others).isTight, false);
  t.equal(memoryShare(5_121, 8_192, others).isTight, true);
  t.same(memoryShare(90_000, 8_192, []), { leftMb: 0, othersMb: 0, isTight: true });
});

t.test('the slider ends at the last whole step of the memory, and not below the default', async (t) => {
  t.equal(memoryRange(15_974, 0.5), 15.5);
  t.equal(memoryRange(16_384, 0.5), 16);
  t.equal(memoryRange(900, 0.5), 2);
});
