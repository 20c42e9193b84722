import { chmodSync, lstatSync } from 'node:fs';
import { splitFilePath } from '../../../../shared/domain/files/file-path.ts';
import type { InstallStep } from '../../../../shared/domain/software/definition.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';
import type { Steps } from '../../queue/steps.ts';
import { isWhole } from '../../vendors/digest.ts';
import { fetchFile } from '../../vendors/download-cache.ts';
import { placeFile } from '../place-file.ts';
import { filledUrl } from './filled-url.ts';
import type { StepContext } from './step-context.ts';

/** Downloads a file into the folder. A file of the same name that is not of an earlier download stays under another name. */
export async function* downloadStep(
  { url: template, sha256, target }: Extract<InstallStep, { type: 'download' }>,
  { installation: { definition, run }, options: { downloads }, root, values }: StepContext,
): Steps<void> {
  const url = filledUrl(template, values);
  const { folder, name } = splitFilePath(target);
  using cursor = new TreeCursor(root);
  // Leads there for as long as the cursor stays.
  const directory = cursor.enter(folder, (place) => chmodSync(place, 0o755));
  const digest = sha256 === undefined ? undefined : ({ algorithm: 'sha256', hex: sha256 } as const);
  const isFile = lstatSync(`${directory}/${name}`, { throwIfNoEntry: false })?.isFile() ?? false;
  if (digest && isFile && (await isWhole(`${directory}/${name}`, digest))) return;
  const vendor = { name: undefined, base: new URL(url).origin, contact: undefined };
  const title = `${definition.title} (${name})`;
  const order = { signal: run.signal, title, phase: run.phase(0), fresh: digest === undefined };
  const fetched = yield* fetchFile({ vendor, url, digest }, downloads, order);
  yield* placeFile(fetched, { directory, name, before: undefined });
}
