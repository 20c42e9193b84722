import { readInstance } from '../../../api/instances.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';

/** Shows why a start failed, unless the server's page already shows it. `before`: the server before the start. */
export async function notifyFailedStart(error: unknown, before: Pick<Instance, 'id' | 'crash'>): Promise<void> {
  const { crash } = await readInstance(before.id).catch(() => before);
  if (!crash?.failedStart || crash.at === before.crash?.at) notifyProblem(error);
}
