import { createLogger } from '../../../shared/node/logger.ts';
import { type ServeOptions, serve } from '../serve.ts';
import type { ProxyConfig } from '../startup/config.ts';
import { runWorkers } from '../workers/run-workers.ts';
import { runWorker, WORKER_VARIABLE } from '../workers/worker.ts';

/** Runs the proxy in this terminal until Ctrl-C or SIGTERM. A second signal ends it at once. */
export async function run(config: ProxyConfig, workers: number): Promise<void> {
  const log = createLogger({ name: 'proxy', level: process.env.GAMEKEEPER_LOG_LEVEL || 'info' });
  const worker = process.env[WORKER_VARIABLE];
  if (worker) return runWorker(config, worker, log);
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end.abort());
  const options: ServeOptions = {
    config,
    log,
    end: end.signal,
    onReady: (url) => process.stdout.write(`The proxy is ready: ${url}\n`),
  };
  return workers > 1 ? runWorkers(workers, options) : serve(options);
}
