import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Test } from 'tap';
import { freePort } from '../machine/free-port.ts';

export const AGENT_SECRET = 'c0ffee00c0ffee00c0ffee00c0ffee00';

interface Tunnel {
  id: string;
  name: string;
  display_address: string;
  agent_config: { fields: { name: string; value: string }[] };
  disabled_reason: string | null;
}

/** A stand-in for the API of playit.gg, which needs an account. */
export interface PlayitApi {
  /** For the variable `API_BASE`. */
  url: string;
  /** What the owner does on the page of a claim. */
  decide(claimUrl: string, decision: 'UserAccepted' | 'UserRejected' | 'CodeExpired'): void;
  tunnels: Tunnel[];
  /** The next tunnels are refused with this word. */
  refusal: string | undefined;
  /** Keys are not accepted any more. */
  isRevoked: boolean;
}

/**
 * It follows playit-cloud/playit-minecraft-plugin, `agentkey_schema.ts` (30f22cb): envelopes, the three calls of a claim, the data of an agent, and
 * the creation and configuration of tunnels, whose keys are checked. As the real one, it creates no tunnel before the agent has registered.
 */
export async function startPlayitApi(t: Test): Promise<PlayitApi> {
  const decisions = new Map<string, string>();
  let hasRegistered = false;
  const api: PlayitApi = {
    url: '',
    decide: (claimUrl, decision) => void decisions.set(claimUrl.split('/').at(-1)!, decision),
    tunnels: [],
    refusal: undefined,
    isRevoked: false,
  };

  const calls: Record<string, (body: never) => unknown> = {
    '/claim/setup': ({ code, agent_type, version, ...others }: Record<string, string>) => {
      if (Object.keys(others).length > 0 || !/^[0-9a-f]{10}$/.test(code!) || agent_type !== 'self-managed' || !version)
        return fail('InvalidCode');
      const decision = decisions.get(code!) ?? 'WaitingForUserVisit';
      return decision === 'CodeExpired' ? fail(decision) : success(decision);
    },
    '/claim/exchange': ({ code }: { code: string }) =>
      decisions.get(code) === 'UserAccepted' ? success({ secret_key: AGENT_SECRET }) : fail('NotAccepted'),
    '/proto/register': () => {
      hasRegistered = true;
      return success({ key: 'ab' });
    },
    '/v1/agents/rundata': () => success({ agent_id: 'agent-1', tunnels: api.tunnels, pending: [], notices: [] }),
    '/v1/tunnels/create': async (body: { name: string; origin: { data: { config: Tunnel['agent_config'] } } }) => {
      const keys = Object.keys(body).sort().join(' ');
      if (keys !== 'enabled endpoint name origin protocol') return error('validation', `unknown keys: ${keys}`);
      if (!hasRegistered) return fail('AgentVersionTooOld');
      if (api.refusal !== undefined) return fail(api.refusal);
      const id = randomUUID();
      const display_address = `127.0.0.1:${await freePort()}`;
      const { config } = body.origin.data;
      api.tunnels.push({ id, name: body.name, display_address, agent_config: config, disabled_reason: null });
      return success({ id });
    },
    '/v1/tunnels/config': ({ tunnel_id, new_config }: { tunnel_id: string; new_config: Tunnel['agent_config'] }) => {
      const tunnel = api.tunnels.find(({ id }) => id === tunnel_id);
      if (!tunnel) return fail({ error: 'TunnelNotFound', details: null });
      tunnel.agent_config = new_config;
      return success(null);
    },
  };

  async function answer(request: IncomingMessage): Promise<unknown> {
    const { url = '', headers } = request;
    const body = (await json(request)) as never;
    const isSignedIn = headers.authorization === `Agent-Key ${AGENT_SECRET}` && !api.isRevoked;
    if (!url.startsWith('/claim/') && !isSignedIn) return error('auth', 'InvalidAgentKey');
    return calls[url]?.(body) ?? error('path-not-found', { path: url });
  }

  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await answer(request)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return api;
}

const success = (data: unknown) => ({ status: 'success', data });
const fail = (data: unknown) => ({ status: 'fail', data });
const error = (type: string, message: unknown) => ({ status: 'error', data: { type, message } });
