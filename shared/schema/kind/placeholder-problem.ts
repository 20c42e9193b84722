import { adminChannelOf } from '../../domain/software/admin-channel.ts';
import type {
  ConfigFile,
  InstallRule,
  InstallStep,
  LaunchRule,
  SoftwareDefinition,
} from '../../domain/software/definition.ts';
import { inlineScripts } from '../../domain/software/inline-script.ts';
import { BUILT_IN_PLACEHOLDERS, placeholdersIn } from '../../domain/software/placeholders.ts';

/**
 * Returns the first text with a placeholder that nothing fills in. Kinds without variables and ports may use braces as they like, as before
 * there were any.
 */
export function placeholderProblem(
  definition: SoftwareDefinition,
): { path: PropertyKey[]; message: string } | undefined {
  const script = scriptProblem(definition);
  if (script) return script;
  const { variables, ports } = definition;
  const alwaysKnown = [...BUILT_IN_PLACEHOLDERS, ...(variables ?? []).map(({ name }) => name)];
  const step = stepProblem(
    definition.install,
    alwaysKnown.filter((name) => name !== 'port'),
  );
  if (step) return step;
  if (!variables && !ports) return undefined;
  const known = new Set<string>([
    ...alwaysKnown,
    ...(ports ?? []).map(({ name }) => `port.${name}`),
    ...(adminChannelOf(definition) ? ['rcon.port', 'rcon.password'] : []),
  ]);
  for (const { path, text } of [...textsOf(definition.launch), ...textsIn(definition.configFiles ?? [])]) {
    const unknown = placeholdersIn(text).find((name) => !known.has(name));
    if (unknown !== undefined) return { path, message: `{${unknown}} is neither a variable nor a port of this kind` };
  }
  return undefined;
}

/** An installation does not know the ports, which can differ at each start. */
function stepProblem(
  install: InstallRule | undefined,
  known: readonly string[],
): { path: PropertyKey[]; message: string } | undefined {
  for (const [index, step] of (install && 'steps' in install ? install.steps : []).entries())
    for (const [key, value] of Object.entries(FILLED_IN[step.type]?.(step as never) ?? {})) {
      const unknown = placeholdersIn(value).find((name) => !known.includes(name));
      if (unknown !== undefined)
        return {
          path: ['install', 'steps', index, key],
          message: `{${unknown}} is not known during the installation`,
        };
    }
  return undefined;
}

type StepOf<Type extends InstallStep['type']> = Extract<InstallStep, { type: Type }>;

/** The texts of a step in which placeholders are filled in. */
const FILLED_IN: { [Type in InstallStep['type']]?: (step: StepOf<Type>) => Record<string, string> } = {
  download: ({ url }) => ({ url }),
  steam: ({ beta = '' }) => ({ beta }),
  write: ({ text }) => ({ text }),
  run: ({ args }) => ({ args: args.join(' ') }),
};

function textsOf(launch: LaunchRule): { path: PropertyKey[]; text: string }[] {
  const args = 'args' in launch ? launch.args : [];
  const env = 'env' in launch ? launch.env : {};
  return [
    ...args.map((text, index) => ({ path: ['launch', 'args', index], text })),
    ...Object.entries(env).map(([name, text]) => ({ path: ['launch', 'env', name], text })),
  ];
}

function textsIn(files: readonly ConfigFile[]): { path: PropertyKey[]; text: string }[] {
  return files.flatMap(({ set }, index) =>
    Object.entries(set).flatMap(([key, value]) =>
      [value].flat().map((text) => ({ path: ['configFiles', index, 'set', key], text: String(text) })),
    ),
  );
}

/** A value in the text of a script could be a command. */
function scriptProblem(definition: SoftwareDefinition): { path: PropertyKey[]; message: string } | undefined {
  for (const { path, args, code } of inlineScripts(definition)) {
    const index = code.find((at) => placeholdersIn(args[at] ?? '').length > 0);
    if (index !== undefined)
      return {
        path: [...path, index],
        message:
          'must not have placeholders, because a value could be a command. Pass them in "env" or as further arguments',
      };
  }
  return undefined;
}
