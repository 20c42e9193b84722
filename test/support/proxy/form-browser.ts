/** A page as a browser without script shows it. */
export interface Page {
  status: number;
  url: URL;
  text: string;
}

/** Where a redirect leads that leaves the site: to the address of a program. */
export class LeftSite extends Error {
  readonly url: URL;

  constructor(url: URL) {
    super(`the browser was sent to ${url.href}`);
    this.url = url;
  }
}

const MOST_REDIRECTS = 10;

/** A browser that knows links, forms, cookies and redirects, for pages that need no more. Cookies are kept per path, as oidc-provider needs. */
export class FormBrowser {
  readonly #origin: string;
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Opens an address and follows redirects. Throws LeftSite when one leads elsewhere. */
  open(url: string | URL): Promise<Page> {
    return this.#request(new URL(url, this.#origin), {});
  }

  /** Sends a form. */
  post(
    url: string | URL,
    fields: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const body = new URLSearchParams();
    for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) body.append(name, value);
    return this.#request(new URL(url, this.#origin), { body, headers: { origin: this.#origin, ...headers } });
  }

  /** Fills in the form whose action contains `action`, with its hidden fields, and sends it. */
  submit(page: Page, action: string, fields: Record<string, string | string[]> = {}): Promise<Page> {
    const form = [...page.text.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs)].find(([, target]) =>
      target?.includes(action),
    );
    if (!form) throw new Error(`There is no form for ${action} on this page:\n${page.text}`);
    const hidden = [...(form[2] ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const own = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return this.post(form[1] ?? '', { ...own, ...fields });
  }

  cookies(): string[] {
    return [...this.#cookies.values()].map(({ name }) => name);
  }

  async #request(
    first: URL,
    { body, headers }: { body?: URLSearchParams; headers?: Record<string, string> },
  ): Promise<Page> {
    let url = first;
    let sent: URLSearchParams | undefined = body;
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects++) {
      if (url.origin !== this.#origin) throw new LeftSite(url);
      const response = await fetch(url, {
        method: sent ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { accept: 'text/html', cookie: this.#cookieFor(url), ...headers },
        ...(sent && { body: sent }),
      });
      this.#keep(response, url);
      const location = response.headers.get('location');
      if (location === null) return { status: response.status, url, text: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url);
      sent = undefined;
    }
    throw new Error(`More than ${MOST_REDIRECTS} redirects from ${first.href}`);
  }

  #cookieFor({ pathname }: URL): string {
    const matching = [...this.#cookies.values()].filter(
      ({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
    );
    return matching.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  #keep(response: Response, { pathname }: URL): void {
    for (const header of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
      const name = pair.slice(0, pair.indexOf('='));
      const value = pair.slice(pair.indexOf('=') + 1);
      const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? pathname;
      const key = `${path} ${name}`;
      const isGone = value === '' || attributes.some((one) => /^(expires=Thu, 01 Jan 1970|max-age=0)/i.test(one));
      if (isGone) this.#cookies.delete(key);
      else this.#cookies.set(key, { name, value, path });
    }
  }
}
