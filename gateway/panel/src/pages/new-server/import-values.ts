import type { ImportRequest } from '../../api/instances.ts';
import type { Schemas } from '../../api/transport/client.ts';

/** What is typed into the form of an import. */
export interface ImportValues {
  /** Of a folder or a ZIP. */
  path: string;
  name: string;
  software: string;
  version: string;
  acceptEula: boolean;
}

/** What is to be otherwise than what was found. */
export function toRequest(
  { name, software, version, acceptEula }: ImportValues,
  found: Schemas['Recognition'],
): ImportRequest {
  return {
    name: name.trim(),
    ...(!found.software && software !== '' && { software }),
    ...(version.trim() !== '' && { version: version.trim() }),
    ...(acceptEula && { acceptEula }),
  };
}

/** The folder's or ZIP's own name, as a name to begin with. */
export function nameOf(path: string): string {
  const name = path.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
  return name.replace(/\.zip$/i, '');
}
