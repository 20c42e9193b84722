import { rm } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';
import { EXPORT_MANIFEST, type ExportManifest, exportManifest } from '../../../shared/schema/export.ts';
import type { ImportInstance, Recognition } from '../../../shared/schema/import.ts';
import type { Phase } from '../queue/job-progress.ts';
import { type Recognised, toRecognition } from '../recognition/to-request.ts';
import type { Pool } from '../resources/pool.ts';
import { recogniseIn } from './recognise-in.ts';

export interface ArchiveOrder {
  archive: string;
  /** What the caller knows it by: its path, or the name of the file that was uploaded. */
  shownAs: string;
  request: ImportInstance;
  name: string;
  /** Present if the archive must be a modpack: stands for its downloads until they are known. */
  downloads?: Phase | undefined;
}

export interface Unpacked {
  /** The findings from its files, without anything that only the request may decide. */
  found: Recognised;
  /** Values from the request, or else from the manifest. */
  known: ImportInstance & { name: string };
  /** The result for the caller: the findings, completed by the manifest. */
  recognition: Recognition;
}

/** Examines an unpacked archive, and removes the export manifest from it. Throws `invalid_request` if a field must be given. */
export async function lookAtUnpacked(folder: string, order: ArchiveOrder, pool: Pool): Promise<Unpacked> {
  const { shownAs, request, name } = order;
  const manifest = await takeManifest(folder);
  const { archive: _, ...asked } = request;
  const settings = manifest && { ...manifest.settings, ...NOT_FOR_OTHERS_TO_SAY, software: manifest.software };
  const known = { name, ...settings, ...asked };
  const found = withoutConsent(toRecognition(shownAs, await recogniseIn(folder, pool), known), known);
  return {
    found,
    known: { ...known, name: known.name ?? name },
    recognition: { ...found.recognition, ...(manifest && factsOf(manifest)) },
  };
}

/** Archives may come from strangers: only the importer may decide that a server starts, or accept a licence. */
const NOT_FOR_OTHERS_TO_SAY = { autoStart: false, autoResume: false, acceptEula: false } as const;

function withoutConsent(
  found: Recognised,
  { software, launch }: Pick<ImportInstance, 'software' | 'launch'>,
): Recognised {
  const { acceptEula: _, launch: script, ...recognition } = found.recognition;
  if ((software ?? recognition.software?.value) === 'custom' && !launch)
    throw new GamekeeperError(
      'invalid_request',
      'launch: the start command of a "custom" server is never taken from an archive.',
      {
        resolution: script
          ? `If you trust the archive, set "launch" in the request: ${JSON.stringify({ command: script.value })}.`
          : 'Set "launch" in the request, for example {"command": ["./server"]}.',
      },
    );
  return { ...found, recognition };
}

/** Reads an export's manifest and removes it, since it is no part of the server. `undefined`: none, or an unknown one. */
async function takeManifest(folder: string): Promise<ExportManifest | undefined> {
  const file = path.join(folder, EXPORT_MANIFEST);
  const content = await readServerFile(file);
  if (content === undefined) return undefined;
  await rm(file);
  try {
    return exportManifest.parse(JSON.parse(String(content)));
  } catch {
    // Made by a later version or by another program. The files still show what the server is.
    return undefined;
  }
}

function factsOf({ software, settings }: ExportManifest): Partial<Recognition> {
  const fact = <Value>(value: Value) => ({ value, from: EXPORT_MANIFEST, sure: 'certain' as const });
  return {
    software: fact(software),
    version: fact(settings.version),
    port: fact(settings.port),
    memoryMb: fact(settings.memoryMb),
  };
}
