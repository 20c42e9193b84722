import path from 'node:path';
import type { Logger } from '../../../shared/node/logger.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { reportReady, whenParentIsGone } from '../../../shared/node/processes/lifeline.ts';
import type { MetricsAddress } from '../metrics/serve-metrics.ts';
import { addressOfWorker } from '../replicas/peer-address.ts';
import { serve } from '../serve.ts';
import type { ProxyConfig } from '../startup/config.ts';

/** Set for a worker, to its number. */
export const WORKER_VARIABLE = 'GAMEKEEPER_PROXY_WORKER';

/** Serves beside other workers until the process that started this one sends SIGTERM, or dies. */
export async function runWorker(config: ProxyConfig, number: string, log: Logger): Promise<void> {
  const end = new AbortController();
  // A terminal sends Ctrl-C to all of its processes. The one that started this one decides.
  process.on('SIGINT', () => undefined);
  process.once('SIGTERM', () => end.abort());
  whenParentIsGone(() => {
    if (end.signal.aborted) process.exit(EXIT.failure);
    end.abort();
  });
  const own = (extension: string) => path.join(config.home.run, `worker-${number}.${extension}`);
  const home = { ...config.home, record: own('json'), lock: own('lock') };
  const peer = addressOfWorker(config.peer, Number(number));
  const metrics = config.metrics && metricsOfWorker(config.metrics, Number(number));
  await serve({
    config: { ...config, home, peer, metrics, sharesPort: true },
    log,
    end: end.signal,
    onReady: reportReady,
  });
}

/** Each worker counts for itself, so Prometheus has to ask each: on the ports that follow. */
function metricsOfWorker({ host, port }: MetricsAddress, number: number): MetricsAddress {
  return { host, port: port === 0 ? 0 : port + number - 1 };
}
