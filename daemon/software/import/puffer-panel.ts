import * as z from 'zod';
import type { SoftwareFile } from '../../../shared/domain/software/extend-definition.ts';
import type { Variable } from '../../../shared/domain/software/variable.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { Findings, type ImportedKind } from './imported-kind.ts';
import { kindName, launchOf, portOf, steamInstall } from './kind-parts.ts';
import { withPlaceholders } from './references.ts';
import { refuseWindows } from './refuse-windows.ts';
import { addVariable } from './variables.ts';

const text = z.union([z.string(), z.number(), z.boolean(), z.null()]).transform((value) => String(value ?? ''));

const template = z.object({
  type: z.string().optional(),
  display: z.string().min(1),
  install: z.array(z.looseObject({ type: z.string().optional() })).nullish(),
  run: z.looseObject({
    command: z.union([z.string(), z.array(z.looseObject({ command: z.string() })).min(1)]),
    stop: text.optional(),
    stopCode: z.int().optional(),
    environmentVars: z.record(z.string(), text).nullish(),
  }),
  data: z
    .record(
      z.string(),
      z.looseObject({
        value: z.unknown().optional(),
        desc: text.optional(),
        display: text.optional(),
        type: text.optional(),
        required: z.boolean().optional(),
        internal: z.boolean().optional(),
        userEdit: z.boolean().optional(),
        options: z.array(z.looseObject({ value: text })).nullish(),
      }),
    )
    .nullish(),
  environment: z.unknown().optional(),
});

type Data = NonNullable<z.infer<typeof template>['data']>[string];

export function isPufferPanelTemplate(value: unknown): boolean {
  return z.looseObject({ display: z.string(), run: z.looseObject({ command: z.unknown() }) }).safeParse(value).success;
}

/** Converts a template of PufferPanel. Throws `invalid_request` for what is none, and for Windows programs. */
export function importPufferPanel(value: unknown): ImportedKind {
  const { data: found, error } = template.safeParse(value);
  if (!found) throw new GamekeeperError('invalid_request', `This template cannot be read: ${z.prettifyError(error)}.`);
  const { run, data, install } = found;
  const start = typeof run.command === 'string' ? run.command : run.command[0]!.command;
  const images = JSON.stringify(found.environment ?? '');
  refuseWindows({ images, start, installsWindows: false });
  const findings = new Findings();
  findings.references.set('port', '{port}').set('memory', '{memoryMb}').set('rootDir', '{directory}');
  for (const [name, one] of Object.entries(data ?? {}))
    if (!findings.references.has(name)) addData(name, one, findings);
  if (Array.isArray(run.command) && run.command.length > 1)
    findings.note('Only the first of its start commands was taken over.');
  const launch = launchOf(start, findings, images);
  const own = Object.entries(run.environmentVars ?? {}).map(([name, one]) => [name, withPlaceholders(one, findings)]);
  if (launch.launch && 'env' in launch.launch)
    launch.launch = { ...launch.launch, env: { ...launch.launch.env, ...Object.fromEntries(own) } };
  const wanted = Number(data?.port?.value);
  const steps = install ?? [];
  const app = steps.find(({ type }) => type === 'steamgamedl')?.appId;
  const file: SoftwareFile = {
    kind: kindName(found.display),
    title: found.display
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 64),
    defaultVersion: 'custom',
    ...launch,
    ...(app !== undefined && steamInstall(String(app), launch, findings)),
    gamePort: {
      ...portOf({ isJava: launch.java !== undefined, findings }),
      ...(Number.isInteger(wanted) && wanted >= 1 && wanted <= 65_535 && { first: wanted }),
    },
    ...(findings.ports.length > 0 && { ports: findings.ports }),
    variables: findings.variables,
    ...stopOf(run.stop ?? '', run.stopCode),
  };
  if (app === undefined && steps.length > 0)
    findings.note('Its installation is not run: put the program into the folder of the server yourself.');
  return {
    file,
    notes: findings.notes,
    scripts: steps.length === 0 ? [] : [{ title: 'Installation', text: JSON.stringify(steps, null, 2) }],
  };
}

function addData(
  name: string,
  { value, desc = '', display = '', type = '', required, internal, userEdit, options }: Data,
  findings: Findings,
): void {
  const isList = typeof value === 'object' && value !== null;
  const text = isList ? JSON.stringify(value) : String(value ?? '');
  const kind: Pick<Variable, 'type' | 'rule'> = ruleOf(
    type,
    text,
    options?.map((option) => option.value),
  );
  const rule = { ...kind.rule, ...(required && { required: true }) };
  addVariable(
    {
      ...{ name, title: display, description: desc, value: text },
      editableBy: internal || userEdit === false ? 'admin' : 'operator',
      type: kind.type,
      ...(Object.keys(rule).length > 0 && { rule }),
    },
    findings,
  );
}

function ruleOf(type: string, value: string, choices: string[] = []): Pick<Variable, 'type' | 'rule'> {
  const known = [...new Set(choices.filter((one) => one !== ''))];
  if (type === 'option' && known.length > 0 && known.length <= 200)
    return { type: 'choice', rule: { choices: value === '' || known.includes(value) ? known : [...known, value] } };
  if (type === 'integer' && /^(?:-?\d{1,15})?$/.test(value)) return { type: 'number' };
  if (type === 'boolean' && /^(?:true|false)?$/.test(value)) return { type: 'boolean' };
  return { type: 'text' };
}

function stopOf(stop: string, code: number | undefined): Pick<SoftwareFile, 'stop'> {
  const [line = ''] = stop.trim().split(/\r?\n/);
  if (code === 2 || line === '\u0003') return { stop: { signal: 'INT' } };
  if (code !== undefined || line === '' || line.length > 200) return { stop: { signal: 'TERM' } };
  return { stop: { command: line } };
}
