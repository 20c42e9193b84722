import type { TunnelStatus } from '../../../shared/domain/tunnel/tunnel-status.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { maskSecrets, unmaskSecrets } from '../../../shared/schema/masked-secrets.ts';
import type { OutsideTest } from '../../../shared/schema/outside-ping.ts';
import {
  type TunnelResponse,
  type TunnelSettings,
  type TunnelSettingsDocument,
  tunnelSettingsDocument,
} from '../../../shared/schema/tunnel.ts';
import { requireLocalAdministrator } from '../../auth/access.ts';
import type { Identity } from '../../auth/identity.ts';
import type { Daemon } from '../../upstream/clients.ts';
import type { InstanceView } from '../../upstream/instance-view.ts';
import type { Supervisors } from '../../upstream/supervisors.ts';
import { testFromOutside } from './outside-test.ts';

/** A probe that leads nowhere takes ten seconds. Milliseconds. */
const PROBE_TIMEOUT_MS = 20_000;
/** The daemon asks the hosted proxy, and gives up after ten seconds. Milliseconds. */
const PROXY_TIMEOUT_MS = 20_000;

export interface TunnelService {
  status(id: string): Promise<TunnelResponse>;
  /** Probes the tunnel, unless it was probed in the last seconds. */
  probe(id: string): Promise<TunnelResponse>;
  /** Has the hosted proxy connect to the address. */
  testFromOutside(id: string): Promise<OutsideTest>;
  /** Secrets are masked. */
  settings(id: string): Promise<TunnelSettingsDocument>;
  /** Masked secrets stay as they are. Throws `invalid_request` for one that is not stored, or was for another server. */
  configure(id: string, document: TunnelSettingsDocument, by: Identity): Promise<TunnelSettingsDocument>;
}

export interface TunnelServiceOptions {
  daemon: Daemon;
  view: InstanceView;
  supervisors: Pick<Supervisors, 'peek'>;
}

export function createTunnelService({ daemon, view, supervisors }: TunnelServiceOptions): TunnelService {
  async function status(id: string): Promise<TunnelResponse> {
    const { config, runtime } = await view.get(id);
    return toResponse(config.tunnel?.provider, runtime.tunnel);
  }

  async function settings(id: string): Promise<TunnelSettingsDocument> {
    const { config } = await view.get(id);
    return maskSecrets(tunnelSettingsDocument, config.tunnel ?? { provider: null });
  }

  return {
    status,
    async probe(id) {
      const { runtime } = await view.get(id);
      if (!runtime.tunnel) return status(id);
      const probed = await supervisors.peek(id)?.probeTunnel(undefined, { timeoutMs: PROBE_TIMEOUT_MS });
      if (probed) view.observe(id, probed);
      return status(id);
    },
    testFromOutside: (id) => testFromOutside(id, { daemon, view }),
    settings,
    async configure(id, document, by) {
      const { config } = await view.get(id);
      requireSameProgram(document, config.tunnel, by);
      const tunnel = document.provider === null ? null : withStoredSecrets(document, config.tunnel);
      await daemon.call.setTunnel({ id, tunnel }, { timeoutMs: PROXY_TIMEOUT_MS });
      await view.refresh(id);
      return settings(id);
    },
  };
}

/** What decides which server a secret is sent to. */
const SERVER: Readonly<Record<TunnelSettings['provider'], readonly string[]>> = {
  static: [],
  ssh: ['host', 'port', 'username'],
  frp: ['program', 'serverAddr', 'serverPort'],
  playit: ['program'],
  relay: [],
};

/** A stored secret is never sent to another server than the one that it was entered for. */
function withStoredSecrets(document: TunnelSettings, stored: TunnelSettings | undefined): TunnelSettings {
  const missing = (place: string) =>
    new GamekeeperError('invalid_request', `"${place}" is masked, but there is none stored for this server.`, {
      resolution: 'Enter it again.',
    });
  const read = (settings: TunnelSettings, key: string) => (settings as Record<string, unknown>)[key];
  const isSameServer =
    document.provider === stored?.provider &&
    SERVER[document.provider].every((key) => read(document, key) === read(stored, key));
  const known = isSameServer ? stored : undefined;
  const complete = unmaskSecrets(tunnelSettingsDocument, document, { stored: known, missing }) as TunnelSettings;
  if (complete.provider !== 'ssh' || known?.provider !== 'ssh' || known.hostKey === undefined) return complete;
  // The pinned key belongs to the server, whatever else changes.
  return { ...complete, hostKey: complete.hostKey ?? known.hostKey };
}

/** Whoever chooses a program decides what runs here. */
function requireSameProgram(document: TunnelSettingsDocument, stored: TunnelSettings | undefined, by: Identity): void {
  const program = 'program' in document ? document.program : undefined;
  const isSame = document.provider === stored?.provider && 'program' in stored && stored.program === program;
  if (program !== undefined && !isSame) requireLocalAdministrator(by, ['program']);
}

function toResponse(provider: string | undefined, status: TunnelStatus | undefined): TunnelResponse {
  const none = { enabled: false, tunnelAddress: '', numericAddress: '', pingMs: -1, state: 'off' } as const;
  if (!status) return { ...none, ...(provider !== undefined && { provider }) };
  const { state, address, numericAddress, pingMs, error, checkedAt, hostKey, claimUrl } = status;
  return {
    enabled: state === 'up',
    tunnelAddress: address,
    numericAddress,
    pingMs,
    provider,
    state,
    ...(hostKey !== undefined && { hostKey }),
    ...(claimUrl !== undefined && { claimUrl }),
    ...(checkedAt !== undefined && { lastCheckedAt: checkedAt }),
    ...(error !== undefined && { error }),
  };
}
