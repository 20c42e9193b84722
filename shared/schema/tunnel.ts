import * as z from 'zod';
import { parseGameAddress } from '../domain/tunnel/game-address.ts';
import { problemOfRelayName } from '../domain/tunnel/relay-name.ts';
import { secret } from './secret.ts';

const port = z.int().min(1).max(65_535);
const hostName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\s/@]+$/, 'must be a host name or an address');

const staticTunnel = z
  .strictObject({
    provider: z.literal('static'),
    address: z
      .string()
      .min(1)
      .max(270)
      .refine((text) => parseGameAddress(text) !== undefined, 'must be an address such as play.example.net:25565')
      .optional()
      .describe('What players type. With the mapping `auto`, it may be absent: then it is the address of the router'),
    mapping: z
      .enum(['none', 'auto'])
      .default('none')
      .describe(
        '`none`: you forward the port to this computer yourself. `auto`: the router is asked to, by PCP, NAT-PMP or UPnP, while the server is up',
      ),
  })
  .refine(({ address, mapping }) => address !== undefined || mapping === 'auto', {
    path: ['address'],
    error: 'is required, unless "mapping" is "auto"',
  })
  .meta({ id: 'StaticTunnel' });

const sshTunnel = z
  .strictObject({
    provider: z.literal('ssh'),
    host: hostName.describe('Your machine with a public address, which runs an SSH server'),
    port: port.default(22),
    username: z.string().min(1).max(255),
    password: secret().max(1024).optional(),
    privateKey: secret().max(16_384).optional().describe('Text of an OpenSSH or PEM private key'),
    passphrase: secret().max(1024).optional().describe('Passphrase of the private key'),
    hostKey: z
      .string()
      .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, 'must be a fingerprint such as SHA256:..., as "ssh-keygen -lf" prints it')
      .optional()
      .describe('Fingerprint of the host key. If absent, the key of the first connection is accepted, and kept'),
    bindAddress: z
      .string()
      .max(255)
      .regex(/^[^\s/@]*$/, 'must be an address, or empty')
      .default('')
      .describe('Address on that machine to listen on; empty: all, if its `GatewayPorts` allows that'),
    remotePort: z.int().min(0).max(65_535).default(0).describe('Port on that machine; 0: any free one'),
  })
  .meta({ id: 'SshTunnel' });

/** Whoever chooses a program decides what runs on this computer: the gateway lets only local administrators. */
const program = z
  .string()
  .max(4096)
  .regex(/^(?:\/|[A-Za-z]:\\)/, 'must be an absolute path')
  .optional();

const frpTunnel = z
  .strictObject({
    provider: z.literal('frp'),
    program: program.describe('Path of frpc; default: the one on the PATH. Only a local administrator may set it'),
    serverAddr: hostName.refine((text) => !text.includes('{{'), 'must not contain {{').describe('Your frps server'),
    serverPort: port.default(7000),
    token: secret().max(1024).optional().describe('Its `auth.token`'),
    remotePort: z.int().min(0).max(65_535).default(0).describe('Port on that server; 0: any that it allows'),
  })
  .meta({ id: 'FrpTunnel' });

const playitTunnel = z
  .strictObject({
    provider: z.literal('playit'),
    program: program.describe('Path of playitd; default: the one on the PATH. Only a local administrator may set it'),
    secret: secret()
      // Masked, it is sent back as it was read.
      .regex(/^(?:[0-9a-fA-F]+|\*{8})$/, 'must be the key of an agent, in hexadecimal')
      .max(1024)
      .optional()
      .describe('Key of an agent of your playit.gg account. If absent, `claimUrl` is where you allow a new one'),
  })
  .meta({ id: 'PlayitTunnel' });

/** One label of a host name at a proxy. */
export const relayName = z.string().superRefine((name, { addIssue }) => {
  const problem = problemOfRelayName(name);
  if (problem !== undefined) addIssue(problem);
});

const relayTunnel = z
  .strictObject({
    provider: z.literal('relay'),
    hostname: relayName
      .optional()
      .describe('Name of the server at the proxy: `friends` gives friends.play.example.net. Default: one of its id'),
    proxyProtocol: z
      .boolean()
      .default(false)
      .describe("Tell the server each player's own address, by the PROXY protocol (version 2), which it must expect"),
  })
  .meta({ id: 'RelayTunnel' });

const providers = [staticTunnel, sshTunnel, frpTunnel, playitTunnel, relayTunnel] as const;

/** How players on the internet reach an instance. */
export const tunnelSettings = z.discriminatedUnion('provider', providers);
export type TunnelSettings = z.infer<typeof tunnelSettings>;
export type SshTunnelSettings = z.infer<typeof sshTunnel>;
export type FrpTunnelSettings = z.infer<typeof frpTunnel>;
export type RelayTunnelSettings = z.infer<typeof relayTunnel>;
export type StaticTunnelSettings = z.infer<typeof staticTunnel>;
export type PlayitTunnelSettings = z.infer<typeof playitTunnel>;

const noTunnel = z.strictObject({ provider: z.null() }).meta({ id: 'NoTunnel' });

/** The settings as a resource. `provider: null`: there is no tunnel. */
export const tunnelSettingsDocument = z
  .discriminatedUnion('provider', [...providers, noTunnel])
  .meta({ id: 'TunnelSettings' });
export type TunnelSettingsDocument = z.infer<typeof tunnelSettingsDocument>;

export const tunnelResponse = z
  .object({
    enabled: z.boolean().describe('Whether players can connect through it now'),
    tunnelAddress: z.string().describe('What players type; empty: unknown or no tunnel'),
    numericAddress: z.string().describe('`<ip>:<port>` that the address leads to; empty: unknown'),
    pingMs: z.int().describe('Milliseconds; -1: no tunnel, or the last probe failed'),
    provider: z.string().optional(),
    state: z
      .enum(['off', 'connecting', 'up', 'failed'])
      .optional()
      .describe('`off`: no tunnel, or the server is stopped. `failed`: see `error`; it is tried again'),
    hostKey: z.string().optional().describe('Fingerprint of the SSH server that it uses'),
    claimUrl: z.url().optional().describe('Open it to let this server use your account at the provider'),
    lastCheckedAt: z.iso.datetime().optional(),
    error: z.string().optional().describe('Why players cannot connect, and what to do about it'),
  })
  .meta({ id: 'TunnelResponse' });
export type TunnelResponse = z.infer<typeof tunnelResponse>;
