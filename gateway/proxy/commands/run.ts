import { createLogger } from '../../../shared/node/logger.ts';
import type { ProxyConfig } from '../config.ts';
import { serve } from '../serve.ts';

/** Runs the proxy in this terminal until Ctrl-C or SIGTERM. A second signal ends it at once. */
export async function run(config: ProxyConfig): Promise<void> {
  const log = createLogger({ name: 'proxy', level: process.env.GAMEKEEPER_LOG_LEVEL || 'info' });
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end.abort());
  await serve({
    config,
    log,
    end: end.signal,
    onReady: (url) => process.stdout.write(`The proxy is ready: ${url}\n`),
  });
}
