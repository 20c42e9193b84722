import { parseArgs } from 'node:util';

/** The command line of the demo server. Durations are in milliseconds. */
export interface DemoOptions {
  readonly eula: boolean;
  readonly help: boolean;
  readonly autosaveMs: number;
  readonly changeEveryMs: number;
  readonly worldMb: number;
  readonly faults: Faults;
}

/** Faults on request, to test how Gamekeeper handles bad servers. */
export interface Faults {
  readonly crashAfterMs?: number;
  readonly exitAtOnce?: number;
  readonly hang: boolean;
  readonly floodLines?: number;
  readonly slowAnswersMs: number;
  readonly slowSaveMs: number;
  readonly readyAfterMs: number;
  readonly neverReady: boolean;
}

export const USAGE = `usage: main.js [nogui] [flags]
  --eula                 require the EULA to be accepted, like vanilla
  --autosave-ms <ms>     time between automatic saves (30000)
  --change-every-ms <ms> time between changes to the world (1000)
  --world-mb <MiB>       size of a new world (1)
  --exit-at-once <code>  exit before anything starts
  --ready-after <ms>     get ready only after this time
  --never-ready          never get ready
  --crash-after <ms>     crash this long after getting ready
  --hang                 stop responding once ready, also to SIGTERM
  --flood <lines>        print this many lines once ready
  --slow-answers <ms>    delay each RCON answer
  --slow-save <ms>       take at least this long for each save
`;

/** A flag is unknown, or its value is not a whole number. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Parses the command line. Ignores `nogui`, which launchers of vanilla pass. Throws UsageError with the name of the flag. */
export function parseOptions(argv: readonly string[]): DemoOptions {
  const flags = parse(argv);
  const number = (name: NumberFlag): number | undefined => wholeNumber(name, flags[name]);
  const crashAfterMs = number('crash-after');
  const exitAtOnce = number('exit-at-once');
  const floodLines = number('flood');
  return {
    eula: flags.eula ?? false,
    help: flags.help ?? false,
    autosaveMs: number('autosave-ms') ?? 30_000,
    changeEveryMs: number('change-every-ms') ?? 1_000,
    worldMb: number('world-mb') ?? 1,
    faults: {
      ...(crashAfterMs !== undefined && { crashAfterMs }),
      ...(exitAtOnce !== undefined && { exitAtOnce }),
      ...(floodLines !== undefined && { floodLines }),
      hang: flags.hang ?? false,
      slowAnswersMs: number('slow-answers') ?? 0,
      slowSaveMs: number('slow-save') ?? 0,
      readyAfterMs: number('ready-after') ?? 0,
      neverReady: flags['never-ready'] ?? false,
    },
  };
}

const NUMBER_FLAGS = [
  'autosave-ms',
  'change-every-ms',
  'world-mb',
  'crash-after',
  'exit-at-once',
  'flood',
  'slow-answers',
  'slow-save',
  'ready-after',
] as const;
type NumberFlag = (typeof NUMBER_FLAGS)[number];

const SWITCHES = ['eula', 'help', 'nogui', 'hang', 'never-ready'] as const;
type Switch = (typeof SWITCHES)[number];

type Flags = Partial<Record<NumberFlag, string> & Record<Switch, boolean>>;

function parse(argv: readonly string[]): Flags {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const name of NUMBER_FLAGS) options[name] = { type: 'string' };
  for (const name of SWITCHES) options[name] = { type: 'boolean' };
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const stray = positionals.find((positional) => positional !== 'nogui');
    if (stray !== undefined) throw new UsageError(`Unexpected argument '${stray}'`);
    return values as Flags;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--${name} needs a whole number, not '${value}'`);
  return Number(value);
}
