import { rm } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { readServerFile } from '../../../shared/node/files/server-file.ts';
import { EXPORT_MANIFEST, type ExportManifest, exportManifest } from '../../../shared/schema/export.ts';
import type { ImportInstance, Recognition } from '../../../shared/schema/import.ts';
import type { Pool } from '../resources/pool.ts';
import { recogniseIn } from './recognise-in.ts';
import { type Recognised, toRecognition } from './to-request.ts';

export interface ArchiveOrder {
  /** Absolute path. */
  archive: string;
  request: ImportInstance;
  /** What it is called if neither the request nor the archive says so. */
  name: string;
}

/** What an unpacked archive holds. */
export interface Unpacked {
  /** By its files, without what only the request may decide. */
  found: Recognised;
  /** What does not have to be found: from the request, or else the manifest. */
  known: ImportInstance & { name: string };
  /** What people are told: what was found, with what the manifest says. */
  recognition: Recognition;
}

/** Looks at what was unpacked of an archive, and takes the manifest out of it. Throws `invalid_request` where more has to be given. */
export async function lookAtUnpacked(folder: string, order: ArchiveOrder, pool: Pool): Promise<Unpacked> {
  const { archive, request, name } = order;
  const manifest = await takeManifest(folder);
  const { archive: _, ...asked } = request;
  const settings = manifest && { ...manifest.settings, ...NOT_FOR_OTHERS_TO_SAY, software: manifest.software };
  const known = { name, ...settings, ...asked };
  const found = withoutConsent(toRecognition(archive, await recogniseIn(folder, pool), known), known);
  return {
    found,
    known: { ...known, name: known.name ?? name },
    recognition: { ...found.recognition, ...(manifest && factsOf(manifest)) },
  };
}

/** An archive may be anybody's: whoever imports it says themselves that it is to run, and that they accept a licence. */
const NOT_FOR_OTHERS_TO_SAY = { autoStart: false, autoResume: false, acceptEula: false } as const;

/** What the files say, but for what only the request decides. Throws `invalid_request` where that has to be given. */
function withoutConsent(
  found: Recognised,
  { software, launch }: Pick<ImportInstance, 'software' | 'launch'>,
): Recognised {
  const { acceptEula: _, launch: script, ...recognition } = found.recognition;
  if ((software ?? recognition.software?.value) === 'custom' && !launch)
    throw new GamekeeperError(
      'invalid_request',
      'launch: the command that starts a server of software "custom" is not taken from an archive.',
      {
        resolution: script
          ? `If you trust the archive, give "launch" as well: ${JSON.stringify({ command: script.value })}.`
          : 'Give "launch" as well, such as {"command": ["./server"]}.',
      },
    );
  return { ...found, recognition };
}

/** Reads the manifest of an export and takes it out of the folder, which is the server's. `undefined`: it is none, or none that we know. */
async function takeManifest(folder: string): Promise<ExportManifest | undefined> {
  const file = path.join(folder, EXPORT_MANIFEST);
  const content = await readServerFile(file);
  if (content === undefined) return undefined;
  await rm(file);
  try {
    return exportManifest.parse(JSON.parse(String(content)));
  } catch {
    // Of a later version, or somebody else's: the files still say what they are.
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
