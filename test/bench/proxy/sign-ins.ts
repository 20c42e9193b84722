import { FormBrowser } from '../../support/proxy/form-browser.ts';
import { atMost, type BenchRow } from '../row.ts';
import type { RealProxy } from './real-proxy.ts';

const SIGN_INS = 40;
/** The proxy checks two passwords at a time. */
const AT_ONCE = 2;
const NAME = 'owner';
const PASSWORD = 'correct horse battery staple';

/** What a sign-in with a password costs the proxy, which is nearly all the hash. */
export async function signIns(proxy: RealProxy): Promise<BenchRow[]> {
  await proxy.addUser(NAME, PASSWORD);
  const begun = { cpu: proxy.cpu(), at: performance.now() };
  for (let n = 0; n < SIGN_INS; n += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, () => signIn(proxy)));
  const cpuMs = ((proxy.cpu() - begun.cpu) * 1000) / SIGN_INS;
  const ms = (performance.now() - begun.at) / SIGN_INS;
  return [
    atMost('P4', 'a sign-in with a password, CPU time', cpuMs, { unit: 'ms', most: 400 }),
    atMost('P4', 'a sign-in with a password, two at a time', ms, { unit: 'ms', most: 400 }),
  ];
}

async function signIn({ issuer }: RealProxy): Promise<void> {
  const browser = new FormBrowser(issuer);
  const { url } = await browser.submit(await browser.open('/account'), '/sign-in', { name: NAME, password: PASSWORD });
  if (url.pathname !== '/account') throw new Error(`The sign-in led to ${url.pathname}.`);
}
