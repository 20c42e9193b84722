/** Names that people would take for something else than a player's server, or that programs look up by themselves. */
const RESERVED = new Set(
  (
    'abuse account accounts admin administrator api app auth autoconfig autodiscover billing blog cdn connect dashboard dev dns docs ' +
    'download edge ftp gamekeeper help hostmaster imap info isatap link localhost login mail minecraft mojang mx news noc ns ns1 ns2 ns3 oauth ' +
    'official panel play pop portal postmaster proxy public relay root security server servers shop smtp ssh ssl staff static status store ' +
    'support sysadmin system test tunnel tunnels update vpn webmail webmaster wpad www'
  ).split(' '),
);

/** One label of a host name (RFC 1123), long enough that nobody hoards all short ones. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{1,48}[a-z0-9])$/;

/** Returns what is wrong with a name for a server at a proxy, such as "friends" in friends.play.example.net; `undefined` if it is fine. */
export function problemOfRelayName(name: string): string | undefined {
  // `xn--` begins a name in another alphabet, which can look like a different one.
  if (!LABEL.test(name) || name.includes('--'))
    return 'must have 3 to 50 characters: lower-case letters, digits, and single dashes between them';
  return RESERVED.has(name) ? 'is reserved; choose another one' : undefined;
}
