import type { ImportRequest, ImportSource } from '../../api/instances.ts';
import type { Schemas } from '../../api/transport/client.ts';

export interface ImportValues {
  /** Of a folder, a ZIP or a modpack on the host. */
  path: string;
  name: string;
  software: string;
  version: string;
  acceptEula: boolean;
}

const ARCHIVE = /\.(?:zip|mrpack)$/i;

/** Returns true for the name or path of a ZIP or a modpack. */
export function isArchive(name: string): boolean {
  return ARCHIVE.test(name);
}

export function sourceOf(path: string): ImportSource {
  return isArchive(path) ? { archive: path } : { directory: path };
}

/** Returns what the import adds to the settings that were found. */
export function toImportRequest(
  { name, software, version, acceptEula }: ImportValues,
  found: Pick<Schemas['Recognition'], 'software'>,
): ImportRequest {
  return {
    name: name.trim(),
    ...(!found.software && software !== '' && { software }),
    ...(version.trim() !== '' && { version: version.trim() }),
    ...(acceptEula && { acceptEula }),
  };
}

/** Suggests the name of the folder or of the file as the server's name. */
export function nameOf(path: string): string {
  const name = path.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
  return name.replace(ARCHIVE, '');
}
