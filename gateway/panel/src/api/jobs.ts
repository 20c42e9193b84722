import { useLocalStorage } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Job } from './transport/client.ts';
import { unsettledJobs } from './visible-jobs.ts';

export const JOBS = ['jobs'];

const DISMISSED = 'gamekeeper.dismissed-jobs';
/** As many ended jobs as the daemon remembers. */
const MOST_DISMISSED = 200;

/** Long work, as long as the daemon remembers it; kept up to date by events. */
export function useJobs() {
  return useQuery({ queryKey: JOBS, queryFn: () => dataOf(api.GET('/jobs')) });
}

export interface UnsettledJobs {
  /** Work under way and work that failed, the newest first. */
  jobs: Job[];
  /** Takes note of a failure, in this browser. */
  dismiss: (job: Job) => void;
}

export function useUnsettledJobs(): UnsettledJobs {
  const [dismissed, setDismissed] = useLocalStorage({
    key: DISMISSED,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: idsIn,
  });
  return {
    jobs: unsettledJobs(useJobs().data ?? [], dismissed),
    dismiss: ({ jobId }) => setDismissed([...dismissed, jobId].slice(-MOST_DISMISSED)),
  };
}

export function useCancelJob() {
  return useMutation({
    mutationFn: (jobId: string) => api.DELETE('/jobs/{jobId}', { params: { path: { jobId } } }),
  });
}

function idsIn(stored: string | undefined): string[] {
  try {
    const ids: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    // Not of ours, or cut off: what failed is shown once more.
    return [];
  }
}
