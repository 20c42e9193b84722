import { healthQuery } from './health.ts';
import { hostQuery } from './host.ts';
import { instancesQuery } from './instances.ts';
import { jobsQuery } from './jobs.ts';
import { isLocalAdmin } from './roles.ts';
import { sessionQuery } from './session.ts';
import { softwareQuery } from './software.ts';
import { queryClient } from './transport/query-client.ts';

/** A page without data is shown after this, rather than the logo alone. Milliseconds. */
const PATIENCE_MS = 2_000;

/**
 * Resolves once the cache has what the overview shows, or after two seconds; what is still missing then arrives later. Rendering a page once,
 * with its data, is faster than rendering it again for each answer.
 */
export async function firstData(): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([fetchFirst(), patience]);
}

async function fetchFirst(): Promise<void> {
  await queryClient.prefetchQuery(sessionQuery);
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (!session || session.mustChangePassword) return;
  await Promise.all([
    queryClient.prefetchQuery(instancesQuery),
    queryClient.prefetchQuery(jobsQuery),
    queryClient.prefetchQuery(softwareQuery),
    queryClient.prefetchQuery(healthQuery),
    isLocalAdmin(session) && queryClient.prefetchQuery(hostQuery),
  ]);
}
