import type { LinkedDaemon } from '../../daemons/directory.ts';
import { relayedPath } from '../../relay/relay-target.ts';
import type { Labels } from '../labels.ts';

/** An entry of https://prometheus.io/docs/prometheus/latest/http_sd/. */
interface TargetGroup {
  targets: string[];
  labels: Record<string, string>;
}

/** Returns the daemons whose metrics can be read. The owner's labels get the prefix `label_`, so that they replace none of Prometheus's. */
export function scrapeTargets(
  daemons: readonly LinkedDaemon[],
  labels: ReadonlyMap<string, Labels>,
  issuer: string,
): TargetGroup[] {
  const { host, protocol } = new URL(issuer);
  return daemons
    .filter(({ scopes }) => scopes.includes('servers:read'))
    .map(({ daemonId, name }) => {
      const own = Object.entries(labels.get(daemonId) ?? {}).map(([key, value]) => [`label_${key}`, value]);
      return {
        targets: [host],
        labels: {
          __scheme__: protocol.replace(':', ''),
          __metrics_path__: relayedPath(daemonId, '/metrics'),
          daemon: name,
          daemon_id: daemonId,
          ...Object.fromEntries(own),
        },
      };
    });
}
