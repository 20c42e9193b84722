import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { knownNames } from '../../../../workers/supervisor/players/player-list.ts';
import { Presence } from '../../../../workers/supervisor/players/presence.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

/** The part of a Bedrock server's console that player actions use. Any other line is a syntax error. */
const SERVER = String.raw`#!/bin/sh
say() { echo "[2026-09-02 04:35:59:427 INFO] $1"; }
say "Server started."
say "Player connected: Two Words, xuid: 2535457893448396"
while IFS= read -r line; do
  case "$line" in
    'kick "Two Words" be "kind"')
      say "Kicked Two Words from the game: 'be \"kind\"'"
      say "Player disconnected: Two Words, xuid: 2535457893448396" ;;
    'op "Two Words"') say "No targets matched selector" ;;
    'deop Steve') say "Could not de-op (already de-opped?): Steve" ;;
    'allowlist add "Two Words"') say "Player added to allowlist" ;;
    'allowlist remove "Two Words"') say "Player not in allowlist" ;;
    stop) say "Quit correctly"; exit 0 ;;
    *) say "Syntax error: Unexpected \"$line\"" ;;
  esac
done
`;

t.test('lists the players of a Bedrock server, and uses its commands', async (t) => {
  const home = homeAt(temporaryFolder(t));
  const directory = home.instanceDirectory('test');
  mkdirSync(directory, { recursive: true });
  const program = path.join(directory, 'bedrock_server');
  writeFileSync(program, SERVER, { mode: 0o755 });
  const { service, waitForPhase } = await runSupervisor(t, {
    home,
    config: { software: 'bedrock', version: '1.21.120.4', eulaAccepted: true },
    upstream: {
      async *provision() {
        yield { done: { program } };
      },
    },
  });
  await service.start();
  await waitForPhase('running');
  await until('the players are known', () => service.status().players?.join() === 'Two Words');
  t.match(await service.players(), [{ name: 'Two Words', since: /^\d{4}-/ }]);
  const act = (name: string, action: Parameters<typeof service.playerAction>[0]['action'], reason?: string) =>
    service.playerAction({ name, action, ...(reason !== undefined && { reason }) });
  t.equal(await act('Two Words', 'kick', 'be "kind"'), `Kicked Two Words from the game: 'be "kind"'`);
  t.same(await service.players(), []);
  t.equal(await act('Two Words', 'whitelist'), 'Player added to allowlist');
  await t.rejects(act('Two Words', 'op'), { code: 'player_not_found' });
  await t.rejects(act('Steve', 'deop'), { code: 'command_rejected', message: /already de-opped/ });
  await t.rejects(act('Two Words', 'unwhitelist'), { code: 'command_rejected', message: 'Player not in allowlist' });
  await t.rejects(act('Steve', 'ban'), { code: 'invalid_request', message: /Bedrock has no command to ban/ });
});

t.test('who is online is known once the console and the server list ping agree on the number', async (t) => {
  const presence = new Presence({ edition: 'java' }, Date.now);
  t.equal(knownNames(presence, undefined), undefined, 'no ping');
  t.same(knownNames(presence, { online: 0, sample: [] }), []);
  t.equal(knownNames(presence, { online: 1, sample: [] }), undefined, 'somebody is missing');
  presence.take({ text: '', message: 'Anna joined the game', prefixed: true });
  t.same(knownNames(presence, { online: 1, sample: [] }), ['Anna']);
  t.same(knownNames(presence, { online: 2, sample: ['Ben'] }), ['Anna', 'Ben']);
});
