import { useLocalStorage } from '@mantine/hooks';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { JOBS } from './query-keys.ts';
import { api, dataOf, type Job } from './transport/client.ts';
import { visibleJobs } from './visible-jobs.ts';

const DISMISSED = 'gamekeeper.dismissed-jobs';
/** The daemon remembers this many ended jobs. */
const MAX_DISMISSED = 200;

export const jobsQuery = queryOptions({ queryKey: JOBS, queryFn: () => dataOf(api.GET('/jobs')) });

export function useJobs() {
  return useQuery(jobsQuery);
}

export interface VisibleJobs {
  /** Active and failed jobs, newest first. */
  jobs: Job[];
  /** Hides a failed job in this browser. */
  dismiss: (job: Job) => void;
}

export function useVisibleJobs(): VisibleJobs {
  const [dismissed, setDismissed] = useLocalStorage({
    key: DISMISSED,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: parseIds,
  });
  return {
    jobs: visibleJobs(useJobs().data ?? [], dismissed),
    dismiss: ({ jobId }) => setDismissed([...dismissed, jobId].slice(-MAX_DISMISSED)),
  };
}

export function useCancelJob() {
  return useMutation({
    mutationFn: (jobId: string) => api.DELETE('/jobs/{jobId}', { params: { path: { jobId } } }),
  });
}

/** Tolerates anything in the browser's storage: at worst a dismissed job shows again. */
function parseIds(stored: string | undefined): string[] {
  try {
    const ids: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
