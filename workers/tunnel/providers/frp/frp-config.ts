import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import type { FrpTunnelSettings } from '../../../../shared/schema/tunnel.ts';
import { transportOf } from '../transport.ts';

/** Access to the admin API of our own frpc. */
export interface FrpAdmin {
  port: number;
  user: string;
  password: string;
}

export interface FrpConfigOptions {
  /** Unique on the server. */
  name: string;
  settings: FrpTunnelSettings;
  target: TunnelTarget;
  admin: FrpAdmin;
  /** File with the token; absent: the server needs none. */
  tokenFile: string | undefined;
}

/**
 * Returns a configuration of frpc (github.com/fatedier/frp, client configuration in TOML). frpc treats the file as a Go template first, so the
 * schema of the settings refuses `{{`.
 */
export function frpConfig({ name, settings, target, admin, tokenFile }: FrpConfigOptions): string {
  const values: [string, string | number | boolean][] = [
    ['serverAddr', settings.serverAddr],
    ['serverPort', settings.serverPort],
    // It retries by itself; we report and end it.
    ['loginFailExit', false],
    ...(tokenFile === undefined
      ? []
      : ([
          ['auth.method', 'token'],
          ['auth.tokenSource.type', 'file'],
          ['auth.tokenSource.file.path', tokenFile],
        ] as [string, string][])),
    ['log.to', 'console'],
    ['log.disablePrintColor', true],
    ['webServer.addr', '127.0.0.1'],
    ['webServer.port', admin.port],
    ['webServer.user', admin.user],
    ['webServer.password', admin.password],
  ];
  const proxy: [string, string | number][] = [
    ['name', name],
    ['type', transportOf(target)],
    ['localIP', target.host],
    ['localPort', target.port],
    ['remotePort', settings.remotePort],
  ];
  return [...values.map(line), '', '[[proxies]]', ...proxy.map(line), ''].join('\n');
}

/** A JSON string is a valid basic string of TOML. */
function line([key, value]: [string, string | number | boolean]): string {
  return `${key} = ${JSON.stringify(value)}`;
}
