import type { ConfigFile } from '../../../shared/domain/software/definition.ts';
import type { Findings } from './imported-kind.ts';
import { withPlaceholders } from './references.ts';

const FORMATS: Readonly<Record<string, ConfigFile['format']>> = {
  ini: 'ini',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  xml: 'xml',
  properties: 'properties',
  file: 'lines',
};
const INSIDE = /^(?!\/)(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\\:\0]+$/;

/** Converts the settings files of an egg. What has no counterpart is noted. */
export function convertConfigFiles(files: Readonly<Record<string, unknown>>, findings: Findings): ConfigFile[] {
  return Object.entries(files).flatMap(([path, config]) => {
    const file = withPlaceholders(path.replace(/^(?:\.?\/)+(?:home\/container\/)?/, ''), findings);
    const { parser, find } = (config ?? {}) as { parser?: unknown; find?: unknown };
    const format = FORMATS[String(parser).toLowerCase()];
    const set = typeof find === 'object' && find !== null ? settingsOf(find, { file, format, findings }) : {};
    if (format === undefined || !INSIDE.test(file) || file.includes('{')) {
      findings.note(
        `The settings file ${path} was left out: its place or its format (${String(parser)}) is not supported.`,
      );
      return [];
    }
    return Object.keys(set).length === 0 ? [] : [{ file, format, set }];
  });
}

interface Around {
  file: string;
  format: ConfigFile['format'] | undefined;
  findings: Findings;
}

function settingsOf(find: object, { file, format, findings }: Around): ConfigFile['set'] {
  const set: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(find)) {
    const setting = settingOf(key, value, format, findings);
    if (setting) set[setting.key] = setting.value;
    else
      findings.note(
        `${file}: "${key}" was left out, because its value depends on the present one or its key has no counterpart.`,
      );
  }
  return set;
}

function settingOf(key: string, value: unknown, format: Around['format'], findings: Findings) {
  if (typeof value === 'object' || value === undefined || key.length > 300 || key === '') return undefined;
  const filled = typeof value === 'string' ? withPlaceholders(value, findings) : (value as number | boolean);
  if (typeof filled === 'string' && (filled.length > 4_096 || filled.includes('$'))) return undefined;
  switch (format) {
    case 'ini':
      return { key: iniKey(key), value: filled };
    case 'xml':
      return xmlSetting(key, filled);
    default:
      return { key, value: filled };
  }
}

/** `section.name`, where the section may have points. */
function iniKey(key: string): string {
  if (key.startsWith('[')) return key.replace(/^\[(.*?)\]\.?/, '[$1].');
  const at = key.lastIndexOf('.');
  return at === -1 ? key : `[${key.slice(0, at)}].${key.slice(at + 1)}`;
}

/** `[name='value']` as a value sets that attribute. */
function xmlSetting(key: string, value: string | number | boolean) {
  const path = key.replace(/^\.?\/+/, '').replaceAll('/', '.');
  if (
    !/^[A-Za-z_][\w-]*(?:\[@?\w+=(['"]).*?\1\])?(?:\.[A-Za-z_][\w-]*(?:\[@?\w+=(['"]).*?\2\])?)*(?:\.@[\w-]+)?$/.test(
      path,
    )
  )
    return undefined;
  const [, attribute, text] = /^\[(\w+)=['"](.*)['"]\]$/.exec(String(value)) ?? [];
  return attribute === undefined ? { key: path, value } : { key: `${path}.@${attribute}`, value: text! };
}
