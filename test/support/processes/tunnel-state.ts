import type { TunnelResponse } from '../../../shared/schema/tunnel.ts';
import { until } from '../machine/until.ts';
import type { Gamekeeper } from './gamekeeper.ts';

/** Waits until the tunnel of the instance `demo` is in a state, with an error that matches `error`. */
export async function tunnelState(
  { api }: Gamekeeper,
  wanted: TunnelResponse['state'],
  error = /(?:)/,
): Promise<TunnelResponse> {
  let last: TunnelResponse | undefined;
  await until(
    `the tunnel is ${wanted}`,
    async () => {
      last = (await api<TunnelResponse>('GET', '/instances/demo/tunnel')).body;
      return last.state === wanted && error.test(last.error ?? '');
    },
    { describe: () => JSON.stringify(last), deadlineMs: 60_000 },
  );
  return last!;
}
