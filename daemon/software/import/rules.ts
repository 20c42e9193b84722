import { type Variable, valueProblem } from '../../../shared/domain/software/variable.ts';
import { patternProblem } from '../../settings/safe-pattern.ts';
import type { Findings } from './imported-kind.ts';

type Rules = Pick<Variable, 'type' | 'rule'>;

const MOST_CHOICES = 200;
const LONGEST_VALUE = 1_024;

/** Converts the rules of an egg's variable, which are Laravel's. What its default breaks is dropped and noted. */
export function convertRules(name: string, rules: unknown, value: string, findings: Findings): Rules {
  const parts = splitRules(rules);
  const names = new Map(parts.map((part) => [part.split(':', 1)[0]!.trim(), part.slice(part.indexOf(':') + 1)]));
  const required = names.has('required') && { required: true };
  const candidates = [choice(names), boolean(names, value), number(names), text(name, names, findings)];
  for (const candidate of candidates) {
    if (!candidate) continue;
    if (value !== '' && valueProblem(candidate, value) !== undefined) continue;
    const rule = { ...candidate.rule, ...required };
    return { type: candidate.type, ...(Object.keys(rule).length > 0 && { rule }) };
  }
  if (parts.length > 0) findings.note(`The default of ${name} breaks its own rules, so these were dropped.`);
  return { type: 'text' };
}

/** Pelican has lists, Pterodactyl `a|b`, in which a regular expression may contain the separator. */
function splitRules(rules: unknown): string[] {
  if (Array.isArray(rules)) return rules.map(String);
  const parts: string[] = [];
  for (const part of String(rules ?? '').split('|')) {
    const last = parts.at(-1);
    const isOpen = last?.startsWith('regex:') && !/^regex:(.).*\1[a-z]*$/s.test(last);
    if (isOpen) parts[parts.length - 1] = `${last}|${part}`;
    else if (part.trim() !== '') parts.push(part.trim());
  }
  return parts;
}

function choice(names: ReadonlyMap<string, string>): Rules | undefined {
  const choices = names
    .get('in')
    ?.split(',')
    .map((one) => one.trim().replace(/^"(.*)"$/, '$1'))
    .filter((one) => one !== '');
  if (!choices || choices.length === 0 || choices.length > MOST_CHOICES) return undefined;
  return { type: 'choice', rule: { choices: [...new Set(choices)] } };
}

/** The value is filled in as the original has it, which is `1` and `0` more often than words. */
function boolean(names: ReadonlyMap<string, string>, value: string): Rules | undefined {
  if (!names.has('boolean') && !names.has('bool')) return undefined;
  const isWord = /^(?:true|false)$/i.test(value);
  return { type: 'choice', rule: { choices: isWord ? ['true', 'false'] : ['0', '1'] } };
}

function number(names: ReadonlyMap<string, string>): Rules | undefined {
  const isWhole = names.has('integer') || names.has('int');
  if (!isWhole && !names.has('numeric')) return undefined;
  const [low, high] = names.get('between')?.split(',') ?? [names.get('min'), names.get('max')];
  const [min, max] = [low, high].map((limit) =>
    limit === undefined || limit.trim() === '' ? Number.NaN : Number(limit),
  );
  return {
    type: 'number',
    rule: {
      ...(Number.isFinite(min) && { min: min! }),
      ...(Number.isFinite(max) && { max: max! }),
      ...(!isWhole && { decimals: 6 }),
    },
  };
}

function text(name: string, names: ReadonlyMap<string, string>, findings: Findings): Rules {
  const limit = Number(names.get('between')?.split(',')[1] ?? names.get('max'));
  const pattern = patternOf(name, names.get('regex'), findings);
  const rule = {
    ...(Number.isInteger(limit) && limit >= 1 && limit <= LONGEST_VALUE && { maxLength: limit }),
    ...(pattern !== undefined && { pattern }),
  };
  return { type: 'text', rule };
}

/** Only patterns for whole values, without flags, that cannot hold up the server. */
function patternOf(name: string, regex: string | undefined, findings: Findings): string | undefined {
  if (regex === undefined) return undefined;
  const [, source] = /^\/\^(.*)\$\/$/s.exec(regex.trim()) ?? [];
  if (
    source !== undefined &&
    source !== '' &&
    source.length <= 500 &&
    patternProblem(`^(?:${source})$`, { shortLines: true }) === undefined
  )
    return source;
  findings.note(`The pattern of ${name} was dropped: ${regex}`);
  return undefined;
}
