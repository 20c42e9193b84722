import type { SoftwareDefinition } from './definition.ts';

/** A command of a kind whose arguments include a script. */
export interface InlineScript {
  /** Of the arguments, in the definition. */
  path: PropertyKey[];
  args: readonly string[];
  /** Indices of the arguments that are code. */
  code: readonly number[];
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh']);

/** Returns the commands of a kind that run a script in their arguments, such as `bash -c`. */
export function inlineScripts({ launch, install }: Pick<SoftwareDefinition, 'launch' | 'install'>): InlineScript[] {
  const programs = launch.type === 'system' ? launch.program : [];
  const steps = install && 'steps' in install ? install.steps : [];
  const commands = [
    ...programs.map((program) => ({ path: ['launch', 'args'], program, args: 'args' in launch ? launch.args : [] })),
    ...steps.flatMap((step, index) =>
      step.type === 'run'
        ? [{ path: ['install', 'steps', index, 'args'], program: step.program, args: step.args }]
        : [],
    ),
  ];
  return commands.flatMap(({ path, program, args }) => {
    const code = codeIn([program, ...args]).map((index) => index - 1);
    return code.length === 0 ? [] : [{ path, args, code }];
  });
}

/** Returns the index of the script that a shell runs, such as in `env bash -lc ...`. */
function codeIn(words: readonly string[]): number[] {
  const shell = words.findIndex((word) => SHELLS.has(word.slice(word.lastIndexOf('/') + 1)));
  if (shell === -1) return [];
  const option = words.findIndex((word, index) => index > shell && /^-[a-z]*c[a-z]*$/.test(word));
  return option === -1 ? [] : [option + 1];
}
