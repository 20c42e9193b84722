import type { FrpAdmin } from './frp-config.ts';

const TIMEOUT_MS = 2_000;

/** A proxy as frpc shows it (frp, `client/api_router.go` and `pkg/msg`). */
export interface FrpProxyStatus {
  name: string;
  /** `new`, `wait start`, `start error`, `running`, `check failed`, `closed`. */
  status: string;
  err: string;
  /** `<host>:<port>` or `:<port>`. */
  remote_addr: string;
}

/** Asks frpc for its proxy. Resolves to `undefined` before it has signed in. Rejects if it does not answer within `withinMs`. */
export async function readStatus(
  { port, user, password }: FrpAdmin,
  { name, transport }: { name: string; transport: 'tcp' | 'udp' },
  withinMs = TIMEOUT_MS,
): Promise<FrpProxyStatus | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/api/status`, {
    headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    signal: AbortSignal.timeout(withinMs),
  });
  const all = (await response.json()) as Record<string, FrpProxyStatus[] | undefined>;
  return all[transport]?.find((proxy) => proxy.name === name);
}

/** Returns the port at the end of an address; `undefined` if there is none. */
export function portIn(address: string): number | undefined {
  const port = Number(/:(\d{1,5})$/.exec(address)?.[1]);
  return port >= 1 ? port : undefined;
}
