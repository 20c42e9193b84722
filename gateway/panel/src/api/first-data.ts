import { hostQuery } from './host.ts';
import { instancesQuery } from './instances.ts';
import { isLocalAdmin } from './roles.ts';
import { sessionQuery } from './session.ts';
import { softwareQuery } from './software.ts';
import { queryClient } from './transport/query-client.ts';

/** Longer than a daemon on this network takes. Over a slow line, the frame of the page is shown meanwhile. Milliseconds. */
const MOST_MS = 300;

/**
 * Fetches what the first page shows before anything is rendered, so that it is rendered once. Resolves when it is there, or after a moment; the
 * page shows what could not be fetched.
 */
export async function fetchFirstData(): Promise<void> {
  await Promise.race([fetchAll(), new Promise((resolve) => setTimeout(resolve, MOST_MS))]);
}

async function fetchAll(): Promise<void> {
  await queryClient.prefetchQuery(sessionQuery);
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (!session || session.mustChangePassword) return;
  // Not every page shows it.
  if (isLocalAdmin(session)) void queryClient.prefetchQuery(hostQuery);
  await Promise.all([queryClient.prefetchQuery(instancesQuery), queryClient.prefetchQuery(softwareQuery)]);
}
