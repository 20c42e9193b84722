import { showUnprintable } from '../../../shared/domain/console/invisible-characters.ts';
import { softwareFor } from '../../../shared/domain/software/catalogue.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { OutsideTest } from '../../../shared/schema/outside-ping.ts';
import type { Daemon } from '../../upstream/clients.ts';
import type { InstanceView } from '../../upstream/instance-view.ts';
import { explainOutsideFailure } from './outside-failure.ts';

/** The proxy looks the name up and waits for an answer. Milliseconds. */
const ANSWER_WITHIN_MS = 20_000;

export interface OutsideTestOptions {
  daemon: Daemon;
  view: InstanceView;
}

/** Tests a server's public address from the hosted proxy, which is outside as friends are. Throws `invalid_state`, and what the proxy refuses. */
export async function testFromOutside(id: string, { daemon, view }: OutsideTestOptions): Promise<OutsideTest> {
  const { config, runtime } = await view.get(id);
  const software = softwareFor(config);
  if (!software?.listPing)
    throw new GamekeeperError('invalid_state', 'Only Minecraft servers can be tested from outside.');
  const address = runtime.tunnel?.address;
  const provider = config.tunnel?.provider;
  if (!address || !provider)
    throw new GamekeeperError('invalid_state', 'This server has no public address at the moment.', {
      resolution: 'Set one up, and start the server.',
    });
  const { proxy } = await daemon.call.linkState();
  const question = { address, edition: software.edition };
  const answer = await daemon.call.pingFromOutside(question, { timeoutMs: ANSWER_WITHIN_MS });
  const tested = { address, from: proxy?.issuer ?? '' };
  if (!answer.reachable) return { ...tested, reachable: false, error: explainOutsideFailure(answer.failure, provider) };
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
