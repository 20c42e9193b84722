import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import { requireProgram, requireRoot } from './system-packages.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

const AT_HOME = '192.168.77.2';
/** miniupnpd forwards nothing for addresses that are not public. Nobody outside these networks sees it. */
const PUBLIC_ADDRESS = '45.45.45.1';

/** `hook prerouting` and `hook postrouting` are what miniupnpd adds its rules to. */
const RULES = `table inet filter {
  chain miniupnpd { }
  chain prerouting_miniupnpd { }
  chain postrouting_miniupnpd { }
  chain forward { type filter hook forward priority 0; policy accept; jump miniupnpd; }
  chain pre { type nat hook prerouting priority -100; jump prerouting_miniupnpd; }
  chain post { type nat hook postrouting priority 100; jump postrouting_miniupnpd; oifname "ext" masquerade; }
}
`;

/** A home with a router that runs miniupnpd, as most do, between two networks of their own. */
export interface HomeRouter {
  publicAddress: string;
  /** Arguments that run a program on the computer at home: `ip netns exec ...`. */
  atHome: string[];
  /** The same for a computer on the internet. */
  onTheInternet: string[];
  /** Returns the ports that the router forwards now. */
  forwarded(): number[];
  /** Ends the router's program, which forgets all ports, and starts it again. */
  restart(): Promise<void>;
}

export interface HomeRouterOptions {
  /** PCP and NAT-PMP, beside UPnP. */
  hasPcp: boolean;
}

/** Resolves to `undefined` if this machine cannot do it. */
export async function startHomeRouter(t: Test, { hasPcp }: HomeRouterOptions): Promise<HomeRouter | undefined> {
  if (!requireRoot(t) || !requireProgram(t, 'miniupnpd', 'miniupnpd-nftables')) return undefined;
  if (!requireProgram(t, 'ip', 'iproute2') || !requireProgram(t, 'nft', 'nftables')) return undefined;
  const [home, router, internet] = ['home', 'router', 'internet'].map((place) => addNetwork(t, place));
  const inHome = ['netns', 'exec', home!];
  const inRouter = ['netns', 'exec', router!];
  connectNetworks([home!, 'eth0', `${AT_HOME}/24`], [router!, 'lan', '192.168.77.1/24']);
  connectNetworks([internet!, 'eth0', '45.45.45.2/24'], [router!, 'ext', `${PUBLIC_ADDRESS}/24`]);
  ip('-n', home!, 'route', 'add', 'default', 'via', '192.168.77.1');
  const folder = temporaryFolder(t);
  const rules = path.join(folder, 'rules.nft');
  writeFileSync(rules, RULES);
  ip(...inRouter, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
  ip(...inRouter, 'nft', '-f', rules);
  const start = () => startMiniupnpd(t, { inRouter, folder, hasPcp });
  let end = await start();
  return {
    publicAddress: PUBLIC_ADDRESS,
    atHome: inHome,
    onTheInternet: ['netns', 'exec', internet!],
    forwarded: () =>
      Array.from(ip(...inRouter, 'nft', 'list', 'ruleset').matchAll(/dport (\d+) dnat/g), ([, port]) => Number(port)),
    async restart() {
      await end();
      ip(...inRouter, 'nft', 'flush', 'ruleset');
      ip(...inRouter, 'nft', '-f', rules);
      end = await start();
    },
  };
}

/** Resolves to a function that ends it. */
async function startMiniupnpd(
  t: Test,
  { inRouter, folder, hasPcp }: { inRouter: string[]; folder: string; hasPcp: boolean },
): Promise<() => Promise<void>> {
  const file = path.join(folder, 'miniupnpd.conf');
  const settings = {
    ext_ifname: 'ext',
    listening_ip: 'lan',
    enable_upnp: 'yes',
    enable_natpmp: hasPcp ? 'yes' : 'no',
    secure_mode: 'yes',
    uuid: '8f2e4d0a-1111-2222-3333-444455556666',
    upnp_table_name: 'filter',
    upnp_nat_table_name: 'filter',
    upnp_forward_chain: 'miniupnpd',
    upnp_nat_chain: 'prerouting_miniupnpd',
    upnp_nat_postrouting_chain: 'postrouting_miniupnpd',
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  const rules = ['allow 1024-65535 192.168.77.0/24 1024-65535', 'deny 0-65535 0.0.0.0/0 0-65535'];
  writeFileSync(file, [...lines, ...rules, ''].join('\n'));
  const daemon = spawn('ip', [...inRouter, 'miniupnpd', '-f', file, '-d', '-P', path.join(folder, 'pid')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  daemon.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const closed = once(daemon, 'close');
  const end = async () => {
    daemon.kill();
    await closed;
  };
  t.teardown(end);
  await until('the router is ready', () => /HTTP listening/.test(printed), { describe: () => printed });
  return end;
}

/** Adds a network namespace until the end of the test. */
function addNetwork(t: Test, place: string): string {
  const name = `gamekeeper-${place}-${process.pid}`;
  ip('netns', 'add', name);
  t.teardown(() => ip('netns', 'delete', name));
  ip('-n', name, 'link', 'set', 'lo', 'up');
  return name;
}

type End = [network: string, device: string, address: string];

function connectNetworks(one: End, other: End): void {
  ip('link', 'add', one[1], 'netns', one[0], 'type', 'veth', 'peer', 'name', other[1], 'netns', other[0]);
  for (const [network, device, address] of [one, other]) {
    ip('-n', network, 'addr', 'add', address, 'dev', device);
    ip('-n', network, 'link', 'set', device, 'up');
  }
}

function ip(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8' });
}
