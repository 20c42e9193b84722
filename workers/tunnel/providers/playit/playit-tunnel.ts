import * as z from 'zod';
import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import { TunnelError } from '../provider.ts';
import { transportOf } from '../transport.ts';
import { callPlayit, PlayitRefusal } from './playit-api.ts';

const fields = z.array(z.object({ name: z.string(), value: z.string() }));
const runData = z.object({
  agent_id: z.string(),
  tunnels: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullish(),
      display_address: z.string(),
      agent_config: z.object({ fields: fields.optional() }).optional(),
      disabled_reason: z.string().nullish(),
    }),
  ),
  pending: z.array(z.object({ name: z.string().nullish(), status_msg: z.string().optional() })),
});
export type PlayitAgent = z.infer<typeof runData>;
export type PlayitTunnel = PlayitAgent['tunnels'][number];

const TYPES = { java: 'minecraft-java', bedrock: 'minecraft-bedrock' } as const;
/** The agent tells its version when it has signed in; before, no tunnel can be created for it. */
const NOT_YET = new Set(['AgentVersionTooOld', 'AgentVersionUnknown', 'AgentNotFound']);
const REASONS: Readonly<Record<string, string>> = {
  RequiresVerifiedAccount: 'Confirm the e-mail address of your playit.gg account first.',
  RequiresPlayitPremium: 'Your playit.gg account has no tunnel of this kind left. Remove one there, or upgrade it.',
};

/** Returns what playit.gg knows of this agent. */
export function readAgent(secret: string, signal: AbortSignal): Promise<PlayitAgent> {
  return callPlayit({ path: '/v1/agents/rundata', body: {}, secret }, runData, signal);
}

export interface WantedTunnel {
  /** Its name at playit.gg. */
  name: string;
  target: TunnelTarget;
}

/** Creates the tunnel. Resolves to `false` if the agent has not signed in yet. Throws TunnelError with what playit.gg says. */
export async function createTunnel(
  secret: string,
  { agentId, wanted: { name, target } }: { agentId: string; wanted: WantedTunnel },
  signal: AbortSignal,
): Promise<boolean> {
  const { probe } = target;
  const protocol =
    probe === 'java' || probe === 'bedrock'
      ? { type: 'tunnel-type', details: TYPES[probe] }
      : {
          type: 'raw-ports',
          details: { port_type: transportOf(target), port_count: 1, software_description: 'Game server' },
        };
  const body = {
    name,
    protocol,
    origin: { type: 'agent', data: { agent_id: agentId, config: configOf(target) } },
    endpoint: { type: 'region', details: { region: 'global', port: null } },
    enabled: true,
  };
  try {
    await callPlayit({ path: '/v1/tunnels/create', body, secret }, z.unknown(), signal);
    return true;
  } catch (error) {
    if (!(error instanceof PlayitRefusal)) throw error;
    if (NOT_YET.has(error.reason)) return false;
    throw new TunnelError(REASONS[error.reason] ?? `playit.gg does not create the tunnel: ${error.reason}.`, {
      cause: error,
    });
  }
}

/** Has an existing tunnel lead to the game, if it does not. */
export async function pointTunnel(
  secret: string,
  { tunnel, target }: { tunnel: PlayitTunnel; target: TunnelTarget },
  signal: AbortSignal,
): Promise<void> {
  const leadsTo = (host: string) => fieldOf(tunnel, 'local_port') === String(target.port) && host === target.host;
  if (leadsTo(fieldOf(tunnel, 'local_ip') ?? target.host)) return;
  const body = { tunnel_id: tunnel.id, new_agent_id: null, new_config: configOf(target) };
  try {
    await callPlayit({ path: '/v1/tunnels/config', body, secret }, z.unknown(), signal);
  } catch (error) {
    if (!(error instanceof PlayitRefusal)) throw error;
    throw new TunnelError(`playit.gg does not lead the tunnel to port ${target.port}: ${error.reason}.`, {
      cause: error,
    });
  }
}

/** Returns a value of the agent's configuration for a tunnel. */
export function fieldOf({ agent_config: config }: PlayitTunnel, name: string): string | undefined {
  return config?.fields?.find((field) => field.name === name)?.value;
}

function configOf({ host, port }: TunnelTarget): { fields: z.infer<typeof fields> } {
  return {
    fields: [
      { name: 'local_ip', value: host },
      { name: 'local_port', value: String(port) },
    ],
  };
}
