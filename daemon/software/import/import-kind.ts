import { parseDocument } from 'yaml';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { extendDefinition } from '../../../shared/domain/software/extend-definition.ts';
import { editorOf } from '../../../shared/domain/software/variable-editor.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { checkSoftware } from '../../../shared/schema/software.ts';
import { importEgg, isEgg } from './egg.ts';
import type { ImportedKind } from './imported-kind.ts';
import { importPufferPanel, isPufferPanelTemplate } from './puffer-panel.ts';

/** Eggs have at most a few hundred kilobytes. */
export const LARGEST_ORIGINAL_BYTES = 1024 * 1024;

/**
 * Makes a kind from an egg of Pterodactyl or Pelican, or a template of PufferPanel, in JSON or YAML. Nothing of it is run. Throws
 * `invalid_request` with what is wrong.
 */
export function importKind(text: string): ImportedKind {
  const value = parse(text);
  if (!isEgg(value) && !isPufferPanelTemplate(value))
    throw new GamekeeperError(
      'invalid_request',
      'This is neither an egg of Pterodactyl or Pelican nor a template of PufferPanel.',
      {
        resolution:
          'A kind of Gamekeeper needs no import: put its file into the software folder of the data directory.',
      },
    );
  const imported = isEgg(value) ? importEgg(value) : importPufferPanel(value);
  const checked = checkSoftware(extendDefinition(imported.file, []));
  if ('problem' in checked)
    throw new GamekeeperError('invalid_request', `The converted kind is not valid: ${checked.problem}.`);
  return withEditors(imported, checked.software);
}

/** The file says who can set a variable, also where that follows from the start command. */
function withEditors({ file, notes, scripts }: ImportedKind, software: SoftwareDefinition): ImportedKind {
  const { variables = [] } = software;
  const closed = variables.filter((one) => one.editableBy !== editorOf(one, software)).map(({ name }) => name);
  if (closed.length === 0) return { file, notes, scripts };
  return {
    file: { ...file, variables: variables.map((one) => ({ ...one, editableBy: editorOf(one, software) })) },
    notes: [
      ...notes,
      `A shell could run a value as a command, so only administrators can set ${closed.join(', ')}. For operators, add a pattern such as [\\w.-]+.`,
    ],
    scripts,
  };
}

function parse(text: string): unknown {
  if (text.length > LARGEST_ORIGINAL_BYTES)
    throw new GamekeeperError('invalid_request', 'The file is larger than 1 MiB.');
  // YAML includes JSON. Aliases are limited, so that a few lines cannot become gigabytes.
  const document = parseDocument(text.replace(/^\uFEFF/, ''), { uniqueKeys: false });
  const [error] = document.errors;
  if (error)
    throw new GamekeeperError('invalid_request', `This is neither JSON nor YAML: ${error.message.split('\n')[0]}.`);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new GamekeeperError('invalid_request', 'The file has too many aliases.', { cause });
  }
}
