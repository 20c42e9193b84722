import path from 'node:path';

/** How to reach a server's management protocol, from its `server.properties`. */
export interface ManagementSettings {
  /** An address of this machine. */
  host: string;
  /** 0: the server chooses one and prints it in its log. */
  port: number;
  secret: string;
  /** Absent: without TLS. */
  keystore?: { file: string; password: string };
}

export interface ManagementSource {
  /** The values in `server.properties`. */
  properties: Readonly<Record<string, string>>;
  folder: string;
  /** The environment of the server's process. */
  env: Readonly<Record<string, string | undefined>>;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;
const WILDCARDS: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '[::]', '*']);
/** Takes precedence over the property (minecraft.wiki, "Minecraft Server Management Protocol", Access). */
const PASSWORD_VARIABLE = 'MINECRAFT_MANAGEMENT_TLS_KEYSTORE_PASSWORD';

/**
 * Reads the `management-server-*` properties. Returns `undefined` if the protocol is off, or the reason as a text if it is on and cannot be
 * used. The secret is sent to loopback addresses only.
 */
export function managementSettings({
  properties,
  folder,
  env,
}: ManagementSource): ManagementSettings | string | undefined {
  const of = (name: string) => properties[`management-server-${name}`]?.trim() ?? '';
  const isTrue = (text: string) => text.toLowerCase() === 'true';
  if (!isTrue(of('enabled'))) return undefined;
  const host = of('host') || 'localhost';
  if (!LOOPBACK.test(host) && !WILDCARDS.has(host))
    return `management-server-host is ${host}, which is not a loopback address`;
  const port = of('port') === '' ? 0 : Number(of('port'));
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return 'management-server-port is not a port';
  const secret = of('secret');
  if (!/^[\x21-\x7e]{1,200}$/.test(secret)) return 'management-server-secret is not a valid secret';
  const reachable = WILDCARDS.has(host) ? '127.0.0.1' : host.replace(/^\[|\]$/g, '');
  const settings = { host: reachable, port, secret };
  if (!isTrue(of('tls-enabled') || 'true')) return settings;
  const file = of('tls-keystore');
  if (file === '') return 'management-server-tls-keystore is missing';
  const password = env[PASSWORD_VARIABLE] ?? properties['management-server-tls-keystore-password'] ?? '';
  return { ...settings, keystore: { file: path.resolve(folder, file), password } };
}
