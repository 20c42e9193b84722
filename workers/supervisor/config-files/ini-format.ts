import { type ConfigFormat, textsOf } from './setting.ts';

const SECTION = /^\s*\[(.*)\]\s*$/;
/** Linear also for a hostile line: the white space before `=` is taken off the name afterwards. */
const ASSIGNMENT = /^(\s*[^=;#[\]\s][^=]*)(=\s*)(.*)$/;

/**
 * INI by lines. A key is `[section].name`, or only `name` for the lines before the first section. Names of sections may have points and
 * slashes, as Unreal Engine's have. A list is a key that occurs several times.
 */
export const iniFormat: ConfigFormat = {
  apply(text, settings) {
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
    for (const setting of settings) set(lines, splitKey(setting.key), textsOf(setting));
    return lines.length === 0 ? '' : lines.join(end) + end;
  },
};

interface Key {
  section: string;
  name: string;
}

function splitKey(key: string): Key {
  const [, section = '', name = key] = /^\[(.*)\]\.([^\]]*)$/.exec(key) ?? [];
  return { section, name };
}

interface Assignment {
  name: string;
  /** `=` with the white space around it. */
  equals: string;
  /** All that is before the value. */
  before: string;
}

function assignmentIn(line: string): Assignment | undefined {
  const [, named, equals] = ASSIGNMENT.exec(line) ?? [];
  if (named === undefined || equals === undefined) return undefined;
  const spaces = named.slice(named.trimEnd().length);
  return { name: named.trim(), equals: `${spaces}${equals}`, before: `${named}${equals}` };
}

function set(lines: string[], { section, name }: Key, values: readonly string[]): void {
  const found: number[] = [];
  let current = '';
  let lastOfSection = section === '' ? 0 : -1;
  let style = '=';
  for (const [at, line] of lines.entries()) {
    const header = SECTION.exec(line);
    if (header) current = header[1]!;
    const assignment = header ? undefined : assignmentIn(line);
    if (assignment) style = assignment.equals;
    if (current !== section) continue;
    if (line.trim() !== '') lastOfSection = at + 1;
    if (assignment?.name === name) found.push(at);
  }
  for (const [index, at] of found.entries())
    if (index < values.length) lines[at] = `${assignmentIn(lines[at]!)!.before}${values[index]}`;
  for (const at of found.slice(values.length).reverse()) lines.splice(at, 1);
  const missing = values.slice(found.length).map((value) => `${name}${style}${value}`);
  if (missing.length === 0) return;
  if (lastOfSection === -1) lines.push(...(lines.length > 0 ? [''] : []), `[${section}]`, ...missing);
  else lines.splice(found.length > 0 ? found.at(-1)! + 1 : lastOfSection, 0, ...missing);
}
