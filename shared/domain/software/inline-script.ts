import type { SoftwareDefinition } from './definition.ts';

/** A command of a kind whose arguments include a script. */
export interface InlineScript {
  /** Of the arguments, in the definition. */
  path: PropertyKey[];
  args: readonly string[];
  /** Indices of the arguments that are code. */
  code: readonly number[];
}

interface Interpreter {
  /** Without a number: `python` is `python3.12` as well. */
  names: readonly string[];
  /** An option whose value is a script, which the same word or the next one has. */
  code: RegExp;
  /** Options with another value, in the next word. */
  valued?: RegExp;
  /** True if all further words belong to the script. */
  takesRest?: boolean;
  /** True if its options may come after other words. */
  mixed?: boolean;
}

const INTERPRETERS: readonly Interpreter[] = [
  {
    names: ['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'zsh', 'fish'],
    code: /^(?:-[a-z]*c|--(?:init-)?command)/i,
    valued: /^(?:[-+][a-z]*o|--rcfile|--init-file)$/i,
  },
  { names: ['su', 'runuser', 'script'], code: /^(?:-[a-z]*c|--(?:session-)?command)/i, mixed: true },
  { names: ['python', 'pypy'], code: /^-[bBdEiIOPqRsSuvx]*c/, valued: /^-[bBdEiIOPqRsSuvx]*[WX]$/ },
  { names: ['perl'], code: /^-[acfilnpsStTuUwWX\d]*[eE]/, valued: /^-I$/ },
  { names: ['ruby'], code: /^-[alnpsSvwW\d]*e/, valued: /^-[CEIr]$/ },
  { names: ['lua', 'luajit'], code: /^-e/, valued: /^-l$/ },
  { names: ['php'], code: /^(?:-[BErR]|--(?:run|process-(?:begin|code|end)))/, valued: /^-[cdz]$/ },
  {
    names: ['node', 'nodejs', 'bun', 'deno'],
    code: /^(?:-[a-z]*[ep]$|--eval|--print|eval$)/,
    valued: /^(?:-[rC]|--(?:require|import|loader|experimental-loader|conditions|env-file|input-type|title))$/,
  },
  {
    names: ['pwsh', 'powershell'],
    code: /^-c/i,
    valued: /^-(?:ex\w*|ep|w\w*|v\w*|o\w*|inp\w*|if|settings\w*|psc\w*)$/i,
    takesRest: true,
  },
  { names: ['cmd'], code: /^\/[ckr]/i, takesRest: true },
];

/** Those of `cmd` begin with a slash. */
const OPTION = /^(?:[-+]|\/[a-z](?::|$))/i;

/** Returns the commands of a kind that run a script in their arguments, such as `bash -c`. */
export function inlineScripts({ launch, install }: Pick<SoftwareDefinition, 'launch' | 'install'>): InlineScript[] {
  const steps = install && 'steps' in install ? install.steps : [];
  const commands = [
    ...programsOf(launch).map((program) => ({
      ...{ path: ['launch', 'args'], program, args: 'args' in launch ? launch.args : [] },
    })),
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

function programsOf(launch: SoftwareDefinition['launch']): readonly string[] {
  if (launch.type === 'system') return launch.program;
  return launch.type === 'installed' ? Object.values(launch.program) : [];
}

/** Returns the indices of the words that an interpreter runs as code, also in `env bash -lc ...`. */
function codeIn(words: readonly string[]): number[] {
  return words.flatMap((word, index) => {
    const interpreter = interpreterOf(word);
    return interpreter ? codeAfter(words, index + 1, interpreter) : [];
  });
}

function interpreterOf(word: string): Interpreter | undefined {
  const name = word.replace(/^.*[/\\]/s, '').replace(/\.exe$/i, '');
  const plain = name.toLowerCase().replace(/[\d.-]+$/, '');
  return INTERPRETERS.find(({ names }) => names.includes(plain));
}

/** Options end at `--`, and where a file with a script, or anything else without a dash, begins. */
function codeAfter(words: readonly string[], start: number, interpreter: Interpreter): number[] {
  const { code, valued, takesRest, mixed } = interpreter;
  const found = new Set<number>();
  for (let index = start; index < words.length; index++) {
    const word = words[index]!;
    if (code.test(word)) {
      if (takesRest) return words.map((_, at) => at).slice(index);
      found.add(index).add(index + 1);
    } else if (valued?.test(word)) index++;
    else if (word === '--' || !(mixed || found.has(index) || OPTION.test(word))) break;
  }
  return [...found];
}
