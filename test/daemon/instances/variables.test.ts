import t from 'tap';
import { checkVariables, withVariables } from '../../../daemon/instances/variables.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { Variable } from '../../../shared/domain/software/variable.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

const VARIABLES: Variable[] = [
  { name: 'map', type: 'text', rule: { pattern: '[a-z_]+', maxLength: 8 }, default: 'dust', editableBy: 'operator' },
  { name: 'slots', type: 'number', rule: { min: 1, max: 64 }, default: '16', editableBy: 'admin' },
  {
    name: 'cheats',
    type: 'boolean',
    rule: { written: { true: '1', false: '0' } },
    default: 'false',
    editableBy: 'admin',
  },
  { name: 'mode', type: 'choice', rule: { choices: ['pvp', 'pve'] }, default: 'pve', editableBy: 'operator' },
  { name: 'title', type: 'text', default: '', editableBy: 'operator' },
  { name: 'app', type: 'number', default: '740', editableBy: 'nobody' },
];
const SOFTWARE = { kind: 'mine', variables: VARIABLES } as unknown as SoftwareDefinition;

t.test('values that differ from the defaults are kept, as text', async (t) => {
  t.same(checkVariables(SOFTWARE, { map: 'dust', slots: 32, cheats: true, mode: 'pvp' }), {
    slots: '32',
    cheats: 'true',
    mode: 'pvp',
  });
  t.equal(checkVariables(SOFTWARE, { slots: 16 }), undefined);
  t.same(checkVariables(SOFTWARE, { title: '\u{1f600}' }), { title: '\u{1f600}' });
});

t.test('a value that breaks the rule is refused with the variable and what is allowed', async (t) => {
  const wrong: [Record<string, string | number | boolean>, RegExp][] = [
    [{ map: 'Dust 2' }, /^variables\.map: must match \[a-z_\]\+\.$/],
    [{ map: 'dust_dust' }, /at most 8 characters/],
    [{ map: 'dust\n+rcon' }, /one line without control characters/],
    [{ title: 'half a \ud83d' }, /variables\.title: must be valid Unicode\./],
    [{ slots: 0 }, /variables\.slots: must be at least 1\./],
    [{ slots: '1.5' }, /must be a whole number/],
    [{ slots: 'many' }, /must be a number/],
    [{ cheats: 'perhaps' }, /must be true or false/],
    [{ mode: 'ffa' }, /must be one of pvp, pve/],
    [{ app: 90 }, /fixed by its kind/],
    [{ colour: 'red' }, /no such variable\. It has map, slots, cheats, mode, title\./],
  ];
  for (const [values, message] of wrong)
    t.throws(() => checkVariables(SOFTWARE, values), { code: 'invalid_request', message });
});

t.test('the refusal has the rule and its limit for programs', async (t) => {
  const broken: [Record<string, string | number>, object][] = [
    [{ map: 'dust_dust' }, { field: 'variables.map', rule: 'too_long', limit: 8 }],
    [{ map: 'Dust 2' }, { field: 'variables.map', rule: 'invalid_format' }],
    [{ slots: 65 }, { field: 'variables.slots', rule: 'too_big', limit: 64 }],
    [{ slots: 0 }, { field: 'variables.slots', rule: 'too_small', limit: 1 }],
    [{ slots: 'many' }, { field: 'variables.slots', rule: 'not_a_number' }],
    [{ mode: 'ffa' }, { field: 'variables.mode', rule: 'invalid_choice' }],
  ];
  for (const [values, error] of broken) t.throws(() => checkVariables(SOFTWARE, values), { errors: [error] });
});

t.test('a change keeps other values, and null resets one', async (t) => {
  const config = instanceConfig({ variables: { map: 'aztec', slots: '32', gone: 'x' } });
  t.same(withVariables(config, SOFTWARE, { slots: null, mode: 'pvp' }).variables, { map: 'aztec', mode: 'pvp' });
  t.notOk('variables' in withVariables(config, SOFTWARE, { slots: 16, map: null }));
});
