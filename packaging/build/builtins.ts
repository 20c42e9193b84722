import { isBuiltin } from 'node:module';

const IMPORT = /^import (.+) from "([^"]+)";$/;
/** `path`, `{ join, sep as separator }`, or both. */
const NAMES = /^(?:(?<whole>[\w$]+)(?:, |$))?(?:\{ (?<named>[^}"]+) \})?$/;

/**
 * Rewrites the imports of Node's own modules with which a bundle begins. An import reads all names of such a module, also those that load much
 * else when they are read, such as `WebSocket` of http or `ReadStream` of fs: a megabyte in each supervisor. `process.getBuiltinModule` reads
 * only what is wanted (https://nodejs.org/api/process.html#processgetbuiltinmoduleid). Rare forms, such as `* as http`, stay as they are.
 */
export function takeBuiltins(code: string): string {
  const lines = code.split('\n');
  for (let index = 0; lines[index]?.startsWith('import '); index++)
    lines[index] = rewritten(lines[index]!) ?? lines[index]!;
  return lines.join('\n');
}

function rewritten(line: string): string | undefined {
  const [, names = '', module = ''] = IMPORT.exec(line) ?? [];
  const { whole, named } = NAMES.exec(names)?.groups ?? {};
  if (!isBuiltin(module) || /\bdefault as\b/.test(names)) return undefined;
  const targets = [whole, named && `{ ${named.replaceAll(' as ', ': ')} }`].filter((target) => target !== undefined);
  if (targets.length === 0) return undefined;
  // `process` itself may be one of the names.
  return targets.map((target) => `const ${target} = globalThis.process.getBuiltinModule("${module}");`).join(' ');
}
