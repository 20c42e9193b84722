// biome-ignore-all lint/suspicious/noTemplateCurlyInString: eggs and shells refer to variables this way
import type { Findings } from './imported-kind.ts';
import { CONTAINER_FOLDER, withPlaceholders } from './references.ts';

/** A start that needs no shell: a program and its arguments, with placeholders. */
export interface PlainStart {
  program: string;
  args: string[];
}

/** Commands of a shell, not programs. */
const BUILT_IN = new Set([
  'cd',
  'export',
  'if',
  'for',
  'while',
  'eval',
  'exec',
  'source',
  '.',
  '[',
  '[[',
  'set',
  'trap',
  'ulimit',
  'unset',
]);
const REFERENCE = /\{\{[^{}]*\}\}|\$\{\s*[\w.-]+\s*\}/g;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * Returns program and arguments of a command line, or `undefined` if only a shell can run it: it has operators, substitutions, globs or
 * assignments. Values are filled in later, each into its own argument, so they cannot add any.
 */
export function plainStart(line: string, findings: Findings): PlainStart | undefined {
  const words = splitWords(line.trim());
  const [program, ...args] = words ?? [];
  if (program === undefined || BUILT_IN.has(program) || ASSIGNMENT.test(program)) return undefined;
  return {
    program: withPlaceholders(program, findings),
    args: args.map((arg) => withPlaceholders(arg, findings)),
  };
}

/** As a POSIX shell splits a simple command. References are kept as they are. */
function splitWords(line: string): string[] | undefined {
  // References may have characters that mean something to a shell.
  const kept: string[] = [];
  const masked = line.replaceAll(REFERENCE, (reference) => `\u0001${kept.push(reference) - 1}\u0002`);
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < masked.length; at++) {
    const character = masked[at]!;
    if (character === "'") {
      const end = masked.indexOf("'", at + 1);
      if (end === -1) return undefined;
      word = (word ?? '') + masked.slice(at + 1, end);
      at = end;
    } else if (character === '"') {
      const quoted = /^"((?:[^"\\$`]|\\.)*)"/s.exec(masked.slice(at));
      if (!quoted) return undefined;
      word = (word ?? '') + quoted[1]!.replace(/\\(["\\$`])/g, '$1');
      at += quoted[0].length - 1;
    } else if (character === '\\') {
      const next = masked[++at];
      if (next === undefined) return undefined;
      word = next === '\n' ? word : (word ?? '') + next;
    } else if (/\s/.test(character)) {
      if (character === '\n' && word !== undefined) return undefined;
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (/[;&|<>()$`*?#~!]/.test(character) && !isHarmless(character, word, masked[at + 1])) {
      return undefined;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return words.map((one) => one.replace(/\u0001(\d+)\u0002/g, (_, index) => kept[Number(index)]!));
}

/** Unreal's `?Key=value` and the like, which a shell would expand only if a file matched. */
function isHarmless(character: string, word: string | undefined, next: string | undefined): boolean {
  if (character === '?' || character === '!') return word !== undefined && next !== undefined;
  return (character === '#' || character === '~') && word !== undefined;
}

/**
 * Returns a script for `sh -c`. Values reach it as environment variables and are never part of its text. What the script does with them can
 * still make them commands (shared/domain/software/variable-editor.ts).
 */
export function shellScript(line: string, findings: Findings): string {
  // Its HOME is the folder of the server.
  return line.replaceAll(CONTAINER_FOLDER, '$$HOME').replaceAll(REFERENCE, (reference) => {
    const name = reference
      .replace(/^(?:\{\{|\$\{)\s*|\s*(?:\}\}|\})$/g, '')
      .replace(/^(?:server\.build\.env|server\.environment|env)\./, '');
    if (/^[A-Za-z_]\w*$/.test(name)) return `\${${name}-}`;
    const text = withPlaceholders(`{{${name}}}`, findings);
    return text === '{port}'
      ? '${SERVER_PORT-}'
      : text === '{memoryMb}'
        ? '${SERVER_MEMORY-}'
        : text.replaceAll(/[{}]/g, '');
  });
}
