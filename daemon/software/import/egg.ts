import * as z from 'zod';
import type { SoftwareFile } from '../../../shared/domain/software/extend-definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { patternProblem } from '../../settings/safe-pattern.ts';
import { convertConfigFiles } from './egg-config-files.ts';
import { Findings, type ImportedKind } from './imported-kind.ts';
import { kindName, launchOf, portOf, steamInstall } from './kind-parts.ts';
import { withPlaceholders } from './references.ts';
import { refuseWindows } from './refuse-windows.ts';
import { convertRules } from './rules.ts';
import { addVariable } from './variables.ts';

const loose = z.unknown();
const text = z.union([z.string(), z.number(), z.boolean(), z.null()]).transform((value) => String(value ?? ''));

/** Pterodactyl's PTDL_v1 and PTDL_v2, and Pelican's PLCN_v1 to PLCN_v3. */
const egg = z.object({
  meta: z.object({ version: z.string().regex(/^(?:PTDL|PLCN)_v\d$/) }),
  name: z.string().min(1),
  description: text.optional(),
  image: text.optional(),
  images: z.array(text).optional(),
  docker_images: z.union([z.record(z.string(), text), z.array(text)]).optional(),
  startup: text.optional(),
  startup_commands: z.record(z.string(), text).optional(),
  config: z.object({ files: loose.optional(), startup: loose.optional(), stop: text.optional() }).optional(),
  scripts: z.object({ installation: z.object({ script: text.optional() }).nullish() }).nullish(),
  variables: z
    .array(
      z.object({
        name: text.optional(),
        description: text.optional(),
        env_variable: z.string().min(1).max(200),
        default_value: text.optional(),
        user_viewable: loose.optional(),
        user_editable: loose.optional(),
        rules: loose.optional(),
      }),
    )
    .nullish(),
});

type Egg = z.infer<typeof egg>;
type EggVariable = NonNullable<Egg['variables']>[number];

export function isEgg(value: unknown): boolean {
  return z.object({ meta: z.object({ version: z.string().regex(/^(?:PTDL|PLCN)_/) }) }).safeParse(value).success;
}

/** Converts an egg. Throws `invalid_request` for what is no egg, and for Windows programs. */
export function importEgg(value: unknown): ImportedKind {
  const { data, error } = egg.safeParse(value);
  if (!data) throw new GamekeeperError('invalid_request', `This egg cannot be read: ${z.prettifyError(error)}.`);
  const start = data.startup || Object.values(data.startup_commands ?? {})[0] || '';
  const script = data.scripts?.installation?.script ?? '';
  const images = JSON.stringify([data.image, data.images, data.docker_images]);
  const defaultOf = (name: string) => data.variables?.find((one) => one.env_variable === name)?.default_value;
  refuseWindows({ images, start, installsWindows: defaultOf('WINDOWS_INSTALL') === '1' });
  const findings = new Findings();
  for (const variable of data.variables ?? []) addEggVariable(variable, findings);
  const app = /\+app_update\s+(?:\$\{?(\w+)\}?|(\d+))/.exec(script);
  const steamApp = app ? (app[2] ?? defaultOf(app[1]!)) : undefined;
  const launch = launchOf(start, findings, images);
  const configFiles = convertConfigFiles(asObject(data.config?.files), findings);
  const file: SoftwareFile = {
    kind: kindName(data.name),
    title: data.name
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 64),
    defaultVersion: 'custom',
    ...launch,
    ...(steamApp && steamInstall(steamApp, launch, findings)),
    gamePort: portOf({ isJava: launch.java !== undefined, findings }),
    ...(findings.ports.length > 0 && { ports: findings.ports }),
    variables: findings.variables,
    ...(configFiles.length > 0 && { configFiles }),
    readyPattern: readyPattern(asObject(data.config?.startup).done, findings),
    ...stopOf(data.config?.stop ?? '', findings),
  };
  if (!steamApp && script.trim() !== '')
    findings.note('Its installation script is not run: put the program into the folder of the server yourself.');
  return {
    file,
    notes: findings.notes,
    scripts: script.trim() === '' ? [] : [{ title: 'Installation script', text: script.replaceAll('\r\n', '\n') }],
  };
}

function addEggVariable(variable: EggVariable, findings: Findings): void {
  const { env_variable: name, name: title = '', description = '', default_value: value = '', rules } = variable;
  const converted = convertRules(name, rules, value, findings);
  const isFixed = converted.rule?.choices?.length === 1 && converted.rule.choices[0] === value;
  const isEditable = isTrue(variable.user_editable);
  const editableBy = isEditable ? 'operator' : isFixed ? 'nobody' : 'admin';
  addVariable({ name, title, description, value, editableBy, ...converted }, findings);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** The configuration of an egg is an object, or JSON in a string. */
function asObject(value: unknown): Record<string, unknown> {
  let found = value;
  if (typeof value === 'string' && value.trim() !== '')
    try {
      found = JSON.parse(value);
    } catch {
      found = {}; // as the panels treat it
    }
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Record<string, unknown>) : {};
}

/** The texts of an egg are searched for, not matched, unless they begin with `regex:`. */
function readyPattern(done: unknown, findings: Findings): string | null {
  const texts = (Array.isArray(done) ? done : [done]).filter(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  const patterns = texts.map((one) =>
    one.startsWith('regex:') ? one.slice(6) : withPlaceholders(one, findings).replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&'),
  );
  const source = patterns.join('|');
  if (source === '') return null;
  if (source.length <= 500 && patternProblem(source, { shortLines: true }) === undefined) return source;
  findings.note(`The pattern that shows that it is ready was dropped: ${source}`);
  return null;
}

function stopOf(stop: string, findings: Findings): Pick<SoftwareFile, 'stop'> {
  const line = stop.trim();
  if (/^\^+(?:C|SIGINT)/i.test(line) || /^SIGINT$/i.test(line)) return { stop: { signal: 'INT' } };
  if (line === '' || /^\^?(?:SIG)?TERM$/i.test(line) || /^\^/.test(line)) return { stop: { signal: 'TERM' } };
  const [command = ''] = withPlaceholders(line, findings).split(/\r?\n/);
  return { stop: command.length <= 200 ? { command } : { signal: 'TERM' } };
}
