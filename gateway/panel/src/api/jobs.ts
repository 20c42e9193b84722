import { useMutation, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Job } from './client.ts';

export const JOBS = ['jobs'];

/** Long work, newest first; kept up to date by events. */
export function useJobs() {
  return useQuery({ queryKey: JOBS, queryFn: () => dataOf(api.GET('/jobs')) });
}

export function isUnderWay({ state }: Job): boolean {
  return state === 'queued' || state === 'running';
}

export function useCancelJob() {
  return useMutation({
    mutationFn: (jobId: string) => api.DELETE('/jobs/{jobId}', { params: { path: { jobId } } }),
  });
}
