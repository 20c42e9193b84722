import { t } from 'tap';
import { daemonRouter } from '../../../shared/contract/daemon.ts';
import { jobsRouter } from '../../../shared/contract/jobs.ts';
import { DAEMON_STREAMS, JOBS_STREAMS, SUPERVISOR_STREAMS } from '../../../shared/contract/streams.ts';
import { supervisorRouter } from '../../../shared/contract/supervisor.ts';

for (const { name, router, streams } of [
  { name: 'supervisor', router: supervisorRouter, streams: SUPERVISOR_STREAMS },
  { name: 'daemon', router: daemonRouter, streams: DAEMON_STREAMS },
  { name: 'jobs', router: jobsRouter, streams: JOBS_STREAMS },
]) {
  t.test(`lists exactly the subscriptions of the ${name} contract`, async (t) => {
    const subscriptions = Object.entries(router._def.procedures)
      .filter(([, procedure]) => procedure._def.type === 'subscription')
      .map(([path]) => path);
    t.same([...streams].sort(), subscriptions.sort());
  });
}
