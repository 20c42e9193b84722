import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { readContent, writeContent } from './files.ts';
import { filesKey } from './query-keys.ts';
import { api, dataOf } from './transport/client.ts';
import { asProblem } from './transport/problem.ts';

/** The name that Minecraft wants. */
export const ICON_FILE = 'server-icon.png';
/** A PNG of 64 by 64 pixels needs 17 kB even without compression. Bytes. */
const MAX_SIZE = 64 * 1024;
const STALE_AFTER_MS = 5 * 60_000;

/** The file of a server's icon. */
export interface StoredIcon {
  etag: string;
  /** A data URL; absent if the file is too large for an icon. */
  url?: string;
}

/** The icon that players see; `null` without one. For users who may read the server's files. */
export function serverIconQuery(id: string) {
  return queryOptions({
    // Below the key of the server's files, so that an upload refreshes it.
    queryKey: [...filesKey(id), 'icon'],
    staleTime: STALE_AFTER_MS,
    queryFn: async (): Promise<StoredIcon | null> => {
      const query = { path: '', limit: 500 };
      // Asking for a file that is not there would be logged as an error by the browser.
      const { entries, next } = await dataOf(api.GET('/instances/{id}/files', { params: { path: { id }, query } }));
      const isListed = entries.some(({ name, kind }) => name === ICON_FILE && kind === 'file');
      return isListed || next !== undefined ? await storedIcon(id) : null;
    },
  });
}

async function storedIcon(instanceId: string): Promise<StoredIcon | null> {
  try {
    const { bytes, etag, sizeBytes } = await readContent(
      { instanceId, path: ICON_FILE },
      { start: 0, length: MAX_SIZE },
    );
    if (sizeBytes > MAX_SIZE) return { etag };
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return { etag, url: `data:image/png;base64,${btoa(binary)}` };
  } catch (error) {
    if (asProblem(error).code === 'file_not_found') return null;
    throw error;
  }
}

/** Writes the icon, in place of the one that the user has seen. If somebody else has changed it meanwhile, it fails, and theirs is shown. */
export function useIconSave(instanceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ png, seen }: { png: Blob; seen: StoredIcon | null }) =>
      writeContent({ instanceId, path: ICON_FILE }, png, seen?.etag),
    onSettled: () => queries.invalidateQueries({ queryKey: filesKey(instanceId) }),
  });
}
