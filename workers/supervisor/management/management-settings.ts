import path from 'node:path';

/** How a server's management protocol is to be reached, as far as its `server.properties` says so. */
export interface ManagementSettings {
  /** On this machine. */
  host: string;
  /** 0: the server chooses one and says so in its log. */
  port: number;
  secret: string;
  /** Absent: without TLS. */
  keystore?: { file: string; password: string };
}

export interface ManagementSource {
  /** Of `server.properties`. */
  properties: Readonly<Record<string, string>>;
  folder: string;
  /** Of the server's process. */
  env: Readonly<Record<string, string | undefined>>;
}

/** The addresses of this machine that nothing but this machine reaches. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;
const WILDCARDS: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '[::]', '*']);
/** Comes before the property (minecraft.wiki, "Minecraft Server Management Protocol", Access). */
const PASSWORD_VARIABLE = 'MINECRAFT_MANAGEMENT_TLS_KEYSTORE_PASSWORD';

/**
 * Reads the `management-server-*` properties. `undefined` where the protocol is off; a text says why it is on and of no use to us. The
 * secret goes to addresses of the loopback interface only.
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
    return `management-server-host is ${host}, which is not this machine's own`;
  const port = of('port') === '' ? 0 : Number(of('port'));
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return 'management-server-port is no port';
  const secret = of('secret');
  if (!/^[\x21-\x7e]{1,200}$/.test(secret)) return 'management-server-secret is no secret';
  const reachable = WILDCARDS.has(host) ? '127.0.0.1' : host.replace(/^\[|\]$/g, '');
  const settings = { host: reachable, port, secret };
  if (!isTrue(of('tls-enabled') || 'true')) return settings;
  const file = of('tls-keystore');
  if (file === '') return 'management-server-tls-keystore is missing';
  const password = env[PASSWORD_VARIABLE] ?? properties['management-server-tls-keystore-password'] ?? '';
  return { ...settings, keystore: { file: path.resolve(folder, file), password } };
}
