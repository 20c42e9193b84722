import type { SoftwareDefinition } from './definition.ts';
import { inlineScripts } from './inline-script.ts';
import { placeholdersIn } from './placeholders.ts';
import type { Variable } from './variable.ts';

type Kind = Pick<SoftwareDefinition, 'launch' | 'install'>;

/**
 * A pattern that matches only letters, digits and `_ . , : @ % + / -`. Its parts are these characters, classes of them without ranges from
 * one sort to another, groups, alternatives and repetitions.
 */
const PLAIN_PATTERN =
  /^(?:[\w,:@%/-]|\\[wd./+-]|\[-?(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|[\w.,:@%+/]|\\[wd./+-])+-?\]|\((?:\?:|(?!\?))|[)|*+?^$]|\{\d+(?:,\d*)?\})*$/;

/**
 * Returns who may set a variable. A script evaluates more than its text: `[[ $X -eq 1 ]]`, `$(( $X ))` and `bash -c "run $X"` run commands in
 * a value. So operators set what a script is given only if its rule leaves no room for such a value.
 */
export function editorOf(variable: Variable, kind: Kind): Variable['editableBy'] {
  if (variable.editableBy !== 'operator' || isPlain(variable) || !reachesScript(variable.name, kind))
    return variable.editableBy;
  return 'admin';
}

function isPlain({ type, rule }: Variable): boolean {
  return type !== 'text' || (rule?.pattern !== undefined && PLAIN_PATTERN.test(rule.pattern));
}

function reachesScript(name: string, kind: Kind): boolean {
  const scripts = inlineScripts(kind);
  if (scripts.length === 0) return false;
  const env = 'env' in kind.launch ? Object.values(kind.launch.env) : [];
  return [...scripts.flatMap(({ args }) => args), ...env].some((text) => placeholdersIn(text).includes(name));
}
