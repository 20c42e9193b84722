import { showUnprintable } from '../../shared/domain/console/invisible-characters.ts';
import { softwareOf } from '../../shared/domain/software/catalogue.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { OutsideFailure, OutsideTest } from '../../shared/schema/outside-ping.ts';
import type { Daemon } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

/** The proxy looks the name up and waits for an answer. Milliseconds. */
const ANSWER_WITHIN_MS = 20_000;

const FORWARDED = 'Check that its port is forwarded to this computer, and the firewall here.';
const WORDS: Readonly<Record<OutsideFailure, string>> = {
  'unknown-name': 'The name does not exist in DNS. Check its spelling, or wait until it is known everywhere.',
  private: 'This is not an address on the internet. Set the public address of your router.',
  refused: `The address is reached from the internet, but refuses connections. ${FORWARDED}`,
  closed: `The address is reached from the internet, but closes connections at once. ${FORWARDED}`,
  'not-minecraft': 'Something else than a Minecraft server answers there. Check where the port is forwarded to.',
  'no-answer': `Nothing answers there. ${FORWARDED}`,
};

export interface OutsideTestOptions {
  daemon: Daemon;
  view: InstanceView;
}

/** Tests a server's public address from the hosted proxy, which is outside as friends are. Throws `invalid_state`, and what the proxy refuses. */
export async function testFromOutside(id: string, { daemon, view }: OutsideTestOptions): Promise<OutsideTest> {
  const { config, runtime } = await view.get(id);
  const software = softwareOf(config.software);
  if (!software?.listPing)
    throw new GamekeeperError('invalid_state', 'Only Minecraft servers can be tested from outside.');
  const address = runtime.tunnel?.address;
  if (!address)
    throw new GamekeeperError('invalid_state', 'This server has no public address at the moment.', {
      resolution: 'Set one up, and start the server.',
    });
  const { proxy } = await daemon.call.linkState();
  const question = { address, edition: software.edition };
  const answer = await daemon.call.pingFromOutside(question, { timeoutMs: ANSWER_WITHIN_MS });
  const tested = { address, from: proxy?.issuer ?? '' };
  if (!answer.reachable) return { ...tested, reachable: false, error: WORDS[answer.failure] };
  const { pingMs, version, online, max } = answer;
  return {
    ...tested,
    reachable: true,
    pingMs,
    version: showUnprintable(version),
    playersOnline: online,
    maxPlayers: max,
  };
}
