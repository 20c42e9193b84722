import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DaemonSoftware } from '../../shared/contract/daemon/software.ts';
import { SOFTWARE } from '../../shared/domain/software/catalogue.ts';
import type { SoftwareFile } from '../../shared/domain/software/extend-definition.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../shared/node/files/atomic-file.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { CustomSoftwareFiles } from './custom-software.ts';
import { importKind } from './import/import-kind.ts';
import type { ImportedKind } from './import/imported-kind.ts';
import { readKindFile, readKindFiles } from './read-custom-software.ts';

/** Gamekeeper reads no larger files of kinds. */
const LARGEST_BYTES = 1024 * 1024;
/** Twice as deep as a kind can be. Deeper values could become a thousand times as long by their indentation. */
const MOST_LEVELS = 16;
const CHECK_FIRST = 'Check the file first, with POST /software/check, and save the text that it returns.';

export interface CustomKindsOptions {
  folder: string;
  files: Pick<CustomSoftwareFiles, 'read'>;
  instances: () => readonly Pick<InstanceConfig, 'name' | 'software'>[];
}

/** Checks, saves and removes the owner's kinds. */
export function createCustomKinds({
  folder,
  files,
  instances,
}: CustomKindsOptions): Pick<DaemonSoftware, 'checkKind' | 'saveKind' | 'removeKind'> {
  const mutex = createMutex();

  return {
    async checkKind(text) {
      const { file, notes, scripts } = toKind(text);
      const written = fileText(file);
      const checked = await readKindFile(written, folder);
      return {
        kind: String(file.kind),
        title: String(file.title ?? file.kind),
        text: written,
        notes,
        scripts,
        ...('problem' in checked && { problem: checked.problem }),
      };
    },
    saveKind: (text) =>
      mutex.run(async () => {
        const file = asKindFile(text);
        if (!file)
          throw new GamekeeperError('invalid_request', 'text: this is not the file of a kind.', {
            resolution: CHECK_FIRST,
          });
        await requireUnknown(file.kind);
        const written = fileText(file);
        const checked = await readKindFile(written, folder);
        if ('problem' in checked)
          throw new GamekeeperError('invalid_request', `text: the kind is not valid: ${checked.problem}.`);
        // A valid kind is a safe file name.
        const target = path.join(folder, `${file.kind}.json`);
        if (existsSync(target))
          throw exists(`${file.kind}.json is in the software folder already, and cannot be used.`);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFileAtomically(target, written);
        await files.read();
        return checked.software;
      }),
    removeKind: (kind) =>
      mutex.run(async () => {
        if (isShipped(kind))
          throw new GamekeeperError('invalid_request', `kind: "${kind}" ships with Gamekeeper and cannot be removed.`);
        const { found } = await readKindFiles(folder);
        const own = found.filter(({ content }) => content.kind === kind);
        if (own.length === 0)
          throw new GamekeeperError('software_not_found', `There is no kind "${kind}" of your own.`);
        requireUnused(
          kind,
          found.flatMap(({ content }) => (content.extends === kind ? [content.kind] : [])),
        );
        for (const { file } of own) await rm(path.join(folder, file));
        await files.read();
      }),
  };

  async function requireUnknown(kind: string): Promise<void> {
    if (isShipped(kind)) throw exists(`"${kind}" ships with Gamekeeper and cannot be replaced.`);
    const { found } = await readKindFiles(folder);
    if (found.some(({ content }) => content.kind === kind)) throw exists(`You have a kind "${kind}" already.`);
  }

  function requireUnused(kind: string, extending: readonly string[]): void {
    const servers = instances().filter(({ software }) => software === kind);
    if (servers.length > 0)
      throw new GamekeeperError(
        'software_in_use',
        `Servers of this kind: ${servers.map(({ name }) => name).join(', ')}.`,
      );
    if (extending.length > 0)
      throw new GamekeeperError('software_in_use', `These kinds extend it: ${extending.join(', ')}.`, {
        resolution: 'Remove these kinds first.',
      });
  }
}

function fileText(file: SoftwareFile): string {
  const written = isDeep(file) ? undefined : `${JSON.stringify(file, null, 2)}\n`;
  if (written === undefined || Buffer.byteLength(written) > LARGEST_BYTES)
    throw new GamekeeperError('invalid_request', 'text: the kind is larger than 1 MiB, or nested too deeply.');
  return written;
}

function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === MOST_LEVELS || Object.values(value).some((each) => isDeep(each, depth + 1));
}

function isShipped(kind: string): boolean {
  return SOFTWARE.some((known) => known.kind === kind);
}

function exists(detail: string): GamekeeperError {
  return new GamekeeperError('software_exists', detail);
}

function toKind(text: string): ImportedKind {
  const file = asKindFile(text);
  return file ? { file, notes: [], scripts: [] } : importKind(text);
}

/** Eggs and templates have no `kind`. */
function asKindFile(text: string): SoftwareFile | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const isKind = typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
    return isKind ? (value as SoftwareFile) : undefined;
  } catch {
    return undefined;
  }
}
