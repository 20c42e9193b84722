const MOST_NAME_LENGTH = 30;
/** What is left of the name, then the id: nobody else's computer can have the same host, whatever its name. */
const LABEL = /^[a-z0-9-]{1,30}-([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
const HOST = /^([a-z0-9.-]+?)(?::\d{1,5})?$/i;

/** A daemon's host, as a request names it. */
export interface DaemonHost {
  daemonId: string;
  /** Of its pages. */
  origin: string;
}

/** The domain below which each daemon has a host for its panel, so that their origins stay apart (docs/decisions/0018). */
export interface DaemonDomain {
  /** Returns the origin of a daemon's panel. */
  originOf(daemon: { daemonId: string; name: string }): string;
  /** Returns whether a host is below this domain, though maybe not a daemon's. The proxy's own host never is. */
  covers(host: string | undefined): boolean;
  daemonAt(host: string | undefined): DaemonHost | undefined;
}

export interface DaemonDomainOptions {
  /** The proxy's own address. Panels have the same scheme and port. */
  issuer: string;
  /** In lower case, such as `panel.example.net`. */
  domain: string;
}

export function createDaemonDomain({ issuer, domain }: DaemonDomainOptions): DaemonDomain {
  const { protocol, hostname: ownHost, port } = new URL(issuer);
  const suffix = `.${domain}`;
  const originAt = (label: string) => `${protocol}//${label}${suffix}${port === '' ? '' : `:${port}`}`;
  const nameOf = (host: string | undefined) => HOST.exec(host ?? '')?.[1]?.toLowerCase();
  return {
    originOf: ({ daemonId, name }) => originAt(`${slugOf(name)}-${daemonId.replaceAll('-', '')}`),
    covers(host) {
      const name = nameOf(host)?.replace(/\.$/, '');
      return name !== undefined && name !== ownHost && name.endsWith(suffix);
    },
    daemonAt(host) {
      const name = nameOf(host);
      if (name === undefined || name === ownHost || !name.endsWith(suffix)) return undefined;
      const label = name.slice(0, -suffix.length);
      const [, ...parts] = LABEL.exec(label) ?? [];
      return parts.length === 0 ? undefined : { daemonId: parts.join('-'), origin: originAt(label) };
    },
  };
}

/** A label of a host name has letters, digits and dashes (RFC 1123, section 2.1). */
function slugOf(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = ascii
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MOST_NAME_LENGTH)
    .replace(/-$/, '');
  return slug === '' ? 'computer' : slug;
}
