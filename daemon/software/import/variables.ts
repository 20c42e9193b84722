import { BUILT_IN_PLACEHOLDERS } from '../../../shared/domain/software/placeholders.ts';
import type { Variable } from '../../../shared/domain/software/variable.ts';
import { isSecretName } from '../../../shared/schema/known-secrets.ts';
import type { Findings } from './imported-kind.ts';
import { CONTAINER_FOLDER } from './references.ts';

/** Linux gives the ports above this one to outgoing connections. */
const LAST_QUIET_PORT = 32_767;
const MOST_PORTS = 16;
const LONGEST_VALUE = 1_024;
const TAKEN = new Set<string>(BUILT_IN_PLACEHOLDERS);

export interface Original extends Pick<Variable, 'type' | 'rule' | 'editableBy'> {
  /** As the original refers to it. */
  name: string;
  title: string;
  description: string;
  value: string;
}

/** Adds a variable, or a port if the variable is the number of one: two servers must not have the same. */
export function addVariable(original: Original, findings: Findings): void {
  const { name, title, description, type, rule, editableBy, value } = original;
  if (addPort(original, findings)) return;
  const own = ownName(name, findings);
  findings.references.set(name, `{${own}}`);
  findings.variables.push({
    name: own,
    ...(title !== '' && { title: oneLine(title).slice(0, 100) }),
    ...(description !== '' && { description: description.slice(0, 1_000) }),
    type,
    ...(rule && { rule }),
    default: defaultOf(own, value, findings),
    editableBy,
    ...(isSecretName(name) && { secret: true }),
  });
}

function addPort({ name, value }: Original, { ports, references }: Findings): boolean {
  const first = Number(value);
  const isPort = /(?:^|[_-])PORT$/i.test(name) && Number.isInteger(first) && first >= 1 && first <= LAST_QUIET_PORT;
  const label = name
    .toLowerCase()
    .replace(/[_-]?port$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 32);
  if (!isPort || label === '' || ports.length >= MOST_PORTS || ports.some((port) => port.name === label)) return false;
  const transport = /rcon|http|web|api|telnet|tcp|panel|console/i.test(name) ? 'tcp' : 'udp';
  ports.push({ name: label, transport, first });
  references.set(name, `{port.${label}}`);
  return true;
}

function ownName(name: string, { variables }: Findings): string {
  const plain =
    name
      .replace(/\W+/g, '_')
      .replace(/^[^A-Za-z]+/, '')
      .slice(0, 60) || 'value';
  const isFree = (candidate: string) => !TAKEN.has(candidate) && !variables.some((one) => one.name === candidate);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? plain : `${plain}_${number}`;
    if (isFree(candidate)) return candidate;
  }
}

function defaultOf(name: string, value: string, findings: Findings): string {
  // A value has no placeholders. Servers are started in their folder.
  const line = oneLine(value).replace(CONTAINER_FOLDER, '.');
  if (line !== oneLine(value))
    findings.note(`The default of ${name} was a path in a container and is now relative to the folder.`);
  if (oneLine(value) !== value) findings.note(`The default of ${name} has several lines and was put into one.`);
  if (line.length <= LONGEST_VALUE) return line;
  findings.note(`The default of ${name} is too long and was left out.`);
  return '';
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
