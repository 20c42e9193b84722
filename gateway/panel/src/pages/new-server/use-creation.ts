import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useInstance } from '../../api/instances.ts';
import { useJobs } from '../../api/jobs.ts';
import type { Job } from '../../api/transport/client.ts';
import { isActive } from '../../api/visible-jobs.ts';

/** The job that creates a server. */
export interface Creation {
  job: Job | undefined;
  isUnderWay: boolean;
  follow(jobId: string | undefined): void;
}

/** Follows a job that creates a server, and opens the server when it is done. */
export function useCreation(): Creation {
  const [, navigate] = useLocation();
  const [jobId, setJobId] = useState<string>();
  const job = useJobs().data?.find((each) => each.jobId === jobId);
  const created = useInstance(job?.state === 'done' ? job.instanceId : '')?.id;
  useEffect(() => {
    if (created !== undefined) navigate(`/servers/${created}/console`);
  }, [created, navigate]);
  return { job, isUnderWay: job !== undefined && isActive(job), follow: setJobId };
}
