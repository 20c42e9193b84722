import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { INSTANCES } from './query-keys.ts';
import { api, dataOf, type Instance, type Schemas } from './transport/client.ts';
import { uploadWorld } from './uploads/world-upload.ts';

export type World = Schemas['World'];

/** How often to look whether a server has stopped. Milliseconds. */
const LOOK_EVERY_MS = 1_000;

const worldsKey = (instanceId: string) => ['worlds', instanceId];

export function useWorlds(instanceId: string) {
  return useQuery({
    queryKey: worldsKey(instanceId),
    // The server saves its worlds all the time.
    staleTime: 0,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/instances/{id}/worlds', { params: { path: { id: instanceId } }, signal })),
  });
}

export type WorldChange =
  | { kind: 'replace'; folder: string; file: File }
  | { kind: 'reset'; folder: string; seed: string | undefined };

/**
 * Changes a world. `onProgress` gets what has been uploaded; until it is all, `signal` ends the change. A server that runs is stopped first and started
 * again at the end, also if the change fails.
 */
export function useWorldChange(
  { id, status }: Pick<Instance, 'id' | 'status'>,
  watch: { onProgress: (sentBytes: number) => void; signal: AbortSignal },
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: WorldChange) => {
      // The upload takes longest, and the server can run meanwhile.
      const archive = change.kind === 'replace' ? await uploadWorld(id, change.file, watch) : undefined;
      const act = () => (archive === undefined ? reset(id, change) : replace(id, change.folder, archive));
      try {
        await (status === 'stopped' ? act() : whileStopped(id, act));
      } finally {
        if (archive !== undefined) await removeUpload(id, archive);
      }
    },
    onSettled: () => Promise.all([INSTANCES, worldsKey(id)].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

async function removeUpload(id: string, path: string): Promise<void> {
  const query = { path, permanently: 'true' as const };
  await api.DELETE('/instances/{id}/files', { params: { path: { id }, query } });
}

async function replace(id: string, folder: string, archive: string): Promise<void> {
  await api.POST('/instances/{id}/worlds/replace', { params: { path: { id } }, body: { folder, archive } });
}

async function reset(id: string, change: WorldChange): Promise<void> {
  const seed = change.kind === 'reset' ? change.seed : undefined;
  const body = { folder: change.folder, ...(seed !== undefined && { seed }) };
  await api.POST('/instances/{id}/worlds/reset', { params: { path: { id } }, body });
}

/** Starts the server again, whatever comes of the work. */
async function whileStopped(id: string, work: () => Promise<void>): Promise<void> {
  await api.POST('/instances/{id}/stop', { params: { path: { id } } });
  try {
    // If it does not stop, the work is refused, and says why.
    while ((await phaseOf(id)) === 'stopping') await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    await work();
  } finally {
    await api.POST('/instances/{id}/start', { params: { path: { id } } });
  }
}

async function phaseOf(id: string) {
  return (await dataOf(api.GET('/instances/{id}', { params: { path: { id } } }))).phase;
}
