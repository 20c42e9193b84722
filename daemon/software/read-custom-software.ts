import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { SOFTWARE } from '../../shared/domain/software/catalogue.ts';
import type { CustomSoftware } from '../../shared/domain/software/custom-software.ts';
import type { SoftwareDefinition } from '../../shared/domain/software/definition.ts';
import { extendDefinition, type SoftwareFile } from '../../shared/domain/software/extend-definition.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { readServerFile } from '../../shared/node/files/server/server-file.ts';
import { checkSoftware } from '../../shared/schema/software.ts';
import { patternProblem } from '../settings/safe-pattern.ts';

/**
 * Reads the owner's custom software, one JSON file for each kind, in the order of the file names. A file that cannot be used is reported with
 * the key and the problem. No file can replace a kind that ships with Gamekeeper: "paper" is always Paper.
 */
export async function readCustomSoftware(folder: string): Promise<CustomSoftware> {
  const { found: read, problems } = await readKindFiles(folder);
  const found: CustomSoftware = { kinds: [], problems };
  let waiting = read;
  // A kind may extend another one whose file comes later.
  for (let before = Number.POSITIVE_INFINITY; waiting.length < before; ) {
    before = waiting.length;
    waiting = waiting.filter(({ file, content }) => {
      const definition = extendDefinition(content, [...SOFTWARE, ...found.kinds]);
      if (definition) take(definition, file, found);
      return !definition;
    });
  }
  for (const { file, content } of waiting)
    found.problems.push({ file, problem: `extends: unknown kind ${JSON.stringify(content.extends)}` });
  return found;
}

/** Reads the files of the folder as they are, in the order of their names. */
export async function readKindFiles(
  folder: string,
): Promise<{ found: { file: string; content: SoftwareFile }[]; problems: CustomSoftware['problems'] }> {
  const names: string[] = await readdir(folder).catch(() => []); // the owner has removed it
  const found: { file: string; content: SoftwareFile }[] = [];
  const problems: CustomSoftware['problems'] = [];
  for (const file of names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort()) {
    try {
      found.push({ file, content: await readObject(path.join(folder, file)) });
    } catch (error) {
      problems.push({ file, problem: problemOf(error) });
    }
  }
  return { found, problems };
}

/**
 * Returns the kind in the text of a file that is not in the folder yet, or what is wrong with it. `replaced`: the file in the folder whose place
 * it takes.
 */
export async function readKindFile(
  text: string,
  folder: string,
  replaced?: string,
): Promise<{ software: SoftwareDefinition } | { problem: string }> {
  const { kinds } = await readCustomSoftware(folder);
  try {
    const content = toObject(JSON.parse(text));
    const others = kinds.filter(({ kind }) => replaced === undefined || kind !== path.basename(replaced, '.json'));
    const definition = extendDefinition(content, [...SOFTWARE, ...others]);
    if (!definition) return { problem: `extends: unknown kind ${JSON.stringify(content.extends)}` };
    return checkKind(definition, others);
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function take(definition: object, file: string, found: CustomSoftware): void {
  const checked = checkKind(definition, found.kinds);
  if ('problem' in checked) found.problems.push({ file, problem: checked.problem });
  else found.kinds.push(checked.software);
}

/** `others`: the owner's other kinds. */
function checkKind(
  definition: object,
  others: readonly SoftwareDefinition[],
): { software: SoftwareDefinition } | { problem: string } {
  const checked = checkSoftware(definition);
  if ('problem' in checked) return checked;
  const problem = nameProblem(checked.software, others) ?? patternsProblem(checked.software);
  return problem === undefined ? checked : { problem };
}

function nameProblem({ kind }: SoftwareDefinition, others: readonly SoftwareDefinition[]): string | undefined {
  const has = (known: readonly SoftwareDefinition[]) => known.some((other) => other.kind === kind);
  if (has(SOFTWARE)) return `kind: "${kind}" ships with Gamekeeper and cannot be replaced. Choose another name`;
  return has(others) ? `kind: another file already defines "${kind}"` : undefined;
}

function patternsProblem(software: SoftwareDefinition): string | undefined {
  const {
    logPrefix,
    readyPattern,
    save,
    playerNotFoundPattern,
    commandFailedPattern,
    playerDonePatterns,
    players,
    tickTime = [],
    variables = [],
  } = software;
  const patterns = {
    logPrefix,
    readyPattern,
    playerNotFoundPattern,
    commandFailedPattern,
    'players.joined': players?.joined,
    'players.left': players?.left,
    'save.heldPattern': save.heldPattern,
    'save.savedPattern': save.savedPattern,
    'save.notSavedPattern': save.notSavedPattern,
    ...Object.fromEntries(
      Object.entries(playerDonePatterns).map(([key, value]) => [`playerDonePatterns.${key}`, value]),
    ),
    ...Object.fromEntries(
      variables.map(({ rule }, index) => [`variables.${index}.rule.pattern`, asWhole(rule?.pattern)]),
    ),
    ...Object.fromEntries(tickTime.map(({ pattern }, index) => [`tickTime.${index}.pattern`, pattern])),
  };
  for (const [key, pattern] of Object.entries(patterns)) {
    const problem = pattern == null ? undefined : patternProblem(pattern, { shortLines: true });
    if (problem !== undefined) return `${key}: ${JSON.stringify(pattern)} ${problem}`;
  }
  return undefined;
}

/** As the values of variables are checked. */
function asWhole(pattern: string | undefined): string | undefined {
  return pattern === undefined ? undefined : `^(?:${pattern})$`;
}

async function readObject(file: string): Promise<SoftwareFile> {
  return toObject(JSON.parse(String(await readServerFile(file))));
}

function toObject(value: unknown): SoftwareFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('it is not an object');
  return value as SoftwareFile;
}

function problemOf(error: unknown): string {
  if (error instanceof GamekeeperError) return 'it cannot be read. It must be an ordinary file of at most 1 MiB';
  if (error instanceof SyntaxError) return `it is not a JSON object: ${error.message}`;
  throw error;
}
