import { type AuditTrail, createAuditTrail } from './audit.ts';
import { connectFiles, connectJobs, type Daemon, type Files, type Jobs } from './clients.ts';
import { type CredentialStore, createCredentialStore } from './credential-store.ts';
import { type InstanceView, watchInstances } from './instance-view.ts';
import { createPassiveJobs, type PassiveJobs } from './passive-jobs.ts';
import { connectSupervisors, type Supervisors } from './supervisors.ts';

/** The other processes, as this gateway reaches them. */
export interface Upstream {
  readonly daemon: Daemon;
  readonly view: InstanceView;
  readonly supervisors: Supervisors;
  readonly jobs: Jobs;
  readonly files: Files;
  readonly passiveJobs: PassiveJobs;
  readonly store: CredentialStore;
  readonly audit: AuditTrail;
  close(): void;
}

/** `onError` is called for every failure that is retried. */
export function connectUpstream(daemon: Daemon, onError: (error: unknown) => void): Upstream {
  const view = watchInstances(daemon, onError);
  const supervisors = connectSupervisors(daemon, view);
  const jobs = connectJobs(daemon);
  const files = connectFiles(daemon);
  const passiveJobs = createPassiveJobs(daemon, onError);
  const store = createCredentialStore(daemon, onError);
  const audit = createAuditTrail(daemon, onError);
  return {
    daemon,
    view,
    supervisors,
    jobs,
    files,
    passiveJobs,
    store,
    audit,
    close() {
      view.close();
      store.close();
      audit.close();
      supervisors.close();
      jobs.close();
      files.close();
      passiveJobs.close();
    },
  };
}
