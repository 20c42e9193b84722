import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { StreamLanguage, syntaxTree } from '@codemirror/language';
import { properties } from '@codemirror/legacy-modes/mode/properties';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { type Diagnostic, linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { parse, TomlError } from 'smol-toml';

const BY_ENDING: Readonly<Record<string, 'json' | 'yaml' | 'toml' | 'properties'>> = {
  json: 'json',
  mcmeta: 'json',
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'toml',
  properties: 'properties',
  cfg: 'properties',
  conf: 'properties',
  ini: 'properties',
};

/** Returns colours and marks of errors for a file of this name. `wrong` is the text of a mark. */
export function languageOf(name: string, wrong: string): Extension {
  switch (BY_ENDING[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]) {
    case 'json':
      return [json(), errorsOfTree(wrong)];
    case 'yaml':
      return [yaml(), errorsOfTree(wrong)];
    case 'toml':
      return [StreamLanguage.define(toml), errorOfToml(wrong)];
    case 'properties':
      return StreamLanguage.define(properties);
    default:
      return [];
  }
}

/** Marks the places that the parser could not make sense of. */
function errorsOfTree(wrong: string): Extension {
  return linter(({ state }) => {
    const found: Diagnostic[] = [];
    if (state.doc.toString().trim() === '') return found;
    syntaxTree(state).iterate({
      enter({ type, from, to }) {
        if (type.isError && found.length === 0)
          found.push({
            from,
            to: Math.min(Math.max(to, from + 1), state.doc.length),
            severity: 'error',
            message: wrong,
          });
      },
    });
    return found;
  });
}

function errorOfToml(wrong: string): Extension {
  return linter(({ state }) => {
    try {
      parse(state.doc.toString());
      return [];
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const line = state.doc.line(Math.min(error.line, state.doc.lines));
      return [{ from: line.from, to: line.to, severity: 'error', message: wrong }];
    }
  });
}
