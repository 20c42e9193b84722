import t from 'tap';
import type { SoftwareDefinition } from '../../../../shared/domain/software/definition.ts';
import type { Variable } from '../../../../shared/domain/software/variable.ts';
import { editorOf } from '../../../../shared/domain/software/variable-editor.ts';

const variable: Variable = { name: 'map', type: 'text', default: '', editableBy: 'operator' };
const launch = (program: string, args: string[], env = {}): Pick<SoftwareDefinition, 'launch'> => ({
  launch: { type: 'system', program: [program], args, env, missing: 'Install it.' },
});
const SCRIPT = launch('bash', ['-c', '[[ $MAP -eq 1 ]] && ./srv'], { MAP: '{map}' });

t.test('text that a script gets is for administrators', async (t) => {
  t.equal(editorOf(variable, SCRIPT), 'admin');
  t.equal(editorOf(variable, launch('sh', ['-c', 'eval "$1"', 'sh', '{map}'])), 'admin', 'as a further argument');
  const { launch: shell } = launch('', ['-c', '[[ $MAP -eq 1 ]]'], { MAP: '{map}' });
  const inFolder = { ...shell, type: 'installed', program: { linux: 'bin/bash' } } as SoftwareDefinition['launch'];
  t.equal(editorOf(variable, { launch: inFolder }), 'admin', 'with a shell in the folder');
  const step = { type: 'run', program: 'sh', args: ['-c', 'eval "$1"', 'sh', '{map}'] } as const;
  t.equal(editorOf(variable, { ...launch('game', []), install: { steps: [step] } }), 'admin', 'in an installation');
  t.equal(editorOf({ ...variable, editableBy: 'nobody' }, SCRIPT), 'nobody');
});

t.test('operators keep what no script gets', async (t) => {
  t.equal(editorOf(variable, launch('game', ['{map}'], { MAP: '{map}' })), 'operator');
  t.equal(editorOf({ ...variable, name: 'motd' }, SCRIPT), 'operator', 'only in a settings file');
});

t.test('operators keep values that cannot be commands', async (t) => {
  const editor = (pattern: string) => editorOf({ ...variable, rule: { pattern } }, SCRIPT);
  for (const type of ['number', 'boolean', 'choice'] as const)
    t.equal(editorOf({ ...variable, type }, SCRIPT), 'operator', type);
  for (const pattern of ['[a-z_]+', '[\\w.-]{1,20}', '(\\w+|maps\\/\\w+)', '([\\w\\d._-]+)(\\.jar)', '(?:a|b)?'])
    t.equal(editor(pattern), 'operator', pattern);
  for (const pattern of [
    '.*',
    '[^;]+',
    '\\S+',
    '[+-z]+',
    '[A-z]+',
    '[\\w-z]+',
    'a b',
    '[\\w$]+',
    '\\$',
    '(?=x).+',
    '[\\W]',
  ])
    t.equal(editor(pattern), 'admin', pattern);
});
