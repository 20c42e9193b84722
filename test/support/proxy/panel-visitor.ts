import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { ConnectionOptions } from 'node:tls';
import { type ClientOptions, WebSocket } from 'ws';
import type { FormBrowser } from './form-browser.ts';
import { leaving, type OauthWorld } from './oauth-world.ts';

/** Chromium takes names below localhost for this machine; Node may not. */
export const PANEL_DOMAIN = 'panel.localhost';

export interface VisitorAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Sent {
  headers?: Record<string, string>;
  body?: object;
}

/** What a browser sends when a person opens a page. */
const NAVIGATION = {
  accept: 'text/html',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'none',
};

/** Returns the origin of a daemon's panel at a proxy. */
export function panelOrigin({ proxy }: OauthWorld, daemonId: string, name = 'attic'): string {
  const { protocol, port } = new URL(proxy.url);
  return `${protocol}//${name}-${daemonId.replaceAll('-', '')}.${PANEL_DOMAIN}:${port}`;
}

/** A browser on the host of a daemon, with the cookies of that host. */
export class PanelVisitor {
  readonly #origin: URL;
  readonly #address: URL;
  readonly cookies = new Map<string, string>();

  /** `address`: of a replica; by default that of the origin's port on this machine. */
  constructor(origin: string, address = origin) {
    this.#origin = new URL(origin);
    this.#address = new URL(address);
  }

  /** Returns the same browser, connected to another replica. */
  at(address: string): PanelVisitor {
    const visitor = new PanelVisitor(this.origin, address);
    for (const [name, value] of this.cookies) visitor.cookies.set(name, value);
    return visitor;
  }

  get origin(): string {
    return this.#origin.origin;
  }

  /** Opens a page. */
  open(path: string, headers: Record<string, string> = {}): Promise<VisitorAnswer> {
    return this.#send('GET', path, { headers: { ...NAVIGATION, ...headers } });
  }

  /** Sends what a script of the page sends. */
  ask(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<VisitorAnswer> {
    const origin = method === 'GET' ? {} : { origin: this.#origin.origin };
    const fetched = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' };
    return this.#send(method, path, { headers: { ...fetched, ...origin, ...headers }, ...(body && { body }) });
  }

  /** Sets out for the proxy. Resolves to the address there. */
  async setOut(path = '/'): Promise<string> {
    return (await this.open(path)).headers.location ?? '';
  }

  /** Resolves to the path with the code that the proxy gives a browser that is signed in there. */
  async code(browser: FormBrowser, path?: string): Promise<string> {
    const address = await this.setOut(path);
    const url = await leaving(() => browser.open(address));
    return `${url.pathname}${url.search}`;
  }

  /** Begins a session. */
  async enter(browser: FormBrowser, path?: string): Promise<VisitorAnswer> {
    return this.open(await this.code(browser, path));
  }

  socket(path: string, headers: Record<string, string> = {}): WebSocket {
    const { protocol, port } = this.#address;
    const options: ClientOptions & Pick<ConnectionOptions, 'servername'> = {
      servername: this.#origin.hostname,
      headers: { host: this.#origin.host, origin: this.#origin.origin, cookie: this.#cookie(), ...headers },
    };
    return new WebSocket(`${protocol.replace('http', 'ws')}//127.0.0.1:${port}${path}`, options);
  }

  #cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async #send(method: string, path: string, { headers = {}, body }: Sent): Promise<VisitorAnswer> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const { protocol, port } = this.#address;
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send({
      host: '127.0.0.1',
      port,
      servername: this.#origin.hostname,
      method,
      path,
      agent: false,
      headers: {
        host: this.#origin.host,
        cookie: this.#cookie(),
        ...(content !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(content)),
        }),
        ...headers,
      },
    });
    request.end(content);
    const [response] = await once(request, 'response');
    for (const header of response.headers['set-cookie'] ?? []) this.#keep(header);
    return { status: response.statusCode, headers: response.headers, text: await text(response) };
  }

  #keep(header: string): void {
    const [pair = ''] = header.split(';');
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    if (/max-age=0/i.test(header)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
