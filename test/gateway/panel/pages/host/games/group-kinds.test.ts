import t from 'tap';
import { groupKinds } from '../../../../../../gateway/panel/src/pages/host/games/group-kinds.ts';

const kind = (name: string, more: object) =>
  ({ kind: name, own: false, command: false, listPing: false, program: 'installed', ...more }) as never;

t.test('Minecraft, other games and those of the owner are told apart', (t) => {
  const { minecraft, others, own } = groupKinds([
    kind('paper', { listPing: true }),
    kind('luanti', { program: 'system' }),
    kind('custom', { listPing: true, command: true, program: 'command' }),
    kind('demo', { listPing: true, program: 'included' }),
    kind('mine', { listPing: true, own: true }),
  ]);
  const names = (kinds: { kind: string }[]) => kinds.map((each) => each.kind);
  t.same([minecraft, others, own].map(names), [['paper'], ['luanti', 'demo'], ['custom', 'mine']]);
  t.end();
});
