import t from 'tap';
import { PLAYER_ACTIONS, type PlayerAction } from '../../../../shared/domain/player-action.ts';
import { actOverManagement, type Management } from '../../../../workers/supervisor/management/act-on-player.ts';
import { ManagementError } from '../../../../workers/supervisor/management/management-error.ts';

const ANNA = { id: '8667ba71-b85a-4004-af54-457a9734eed7', name: 'Anna' };

/** Returns a server with these answers, and the changes that it was asked for. */
function server(answers: Record<string, unknown>) {
  const sent: [string, unknown][] = [];
  const management: Management = {
    async call(method, params) {
      const answer = answers[method];
      if (params.length > 0) sent.push([method, params]);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const act = (action: PlayerAction, reason = '') => actOverManagement(management, { action, name: 'anna', reason });
  return { act, sent };
}

t.test("each action is one call for one player, and returns the text of vanilla's command", async (t) => {
  const cases: [PlayerAction, string, string, object, string][] = [
    ['kick', 'bye', 'players/kick', { player: { name: 'anna' }, message: { literal: 'bye' } }, 'Kicked Anna: bye'],
    ['kick', '', 'players/kick', { player: { name: 'anna' } }, 'Kicked Anna'],
    ['ban', 'bye', 'bans/add', { player: { name: 'anna' }, reason: 'bye' }, 'Banned Anna: bye'],
    ['op', 'no reason here', 'operators/add', { player: { name: 'anna' } }, 'Made Anna a server operator'],
    ['whitelist', '', 'allowlist/add', { name: 'anna' }, 'Added Anna to the whitelist'],
  ];
  for (const [action, reason, method, entry, words] of cases) {
    const { act, sent } = server({
      'minecraft:bans': [{ player: { name: 'Bob' } }],
      'minecraft:operators': [],
      'minecraft:allowlist': [],
      [`minecraft:${method}`]: [method.startsWith('allowlist') ? ANNA : { player: ANNA }],
    });
    t.equal(await act(action, reason), words);
    t.strictSame(sent, [[`minecraft:${method}`, [[entry]]]]);
  }
});

t.test('checks a removal by the list that is left', async (t) => {
  const cases: [PlayerAction, string, string][] = [
    ['pardon', 'bans', 'Unbanned Anna'],
    ['deop', 'operators', 'Made Anna no longer a server operator'],
    ['unwhitelist', 'allowlist', 'Removed Anna from the whitelist'],
  ];
  for (const [action, list, words] of cases) {
    const before = { [`minecraft:${list}`]: [{ player: ANNA }] };
    const { act, sent } = server({ ...before, [`minecraft:${list}/remove`]: [] });
    t.equal(await act(action), words);
    t.strictSame(sent, [[`minecraft:${list}/remove`, [[{ name: 'anna' }]]]]);
    const stays = server({ ...before, [`minecraft:${list}/remove`]: [{ player: ANNA }] });
    await t.rejects(stays.act(action), { reason: 'refused', message: /left anna on the list/ });
  }
});

t.test('makes no change if there is nothing to do, and reports that', async (t) => {
  for (const action of PLAYER_ACTIONS.filter((action) => action !== 'kick')) {
    const adds = ['ban', 'op', 'whitelist'].includes(action);
    const list = adds ? [ANNA] : [];
    const { act, sent } = server({ 'minecraft:bans': list, 'minecraft:operators': list, 'minecraft:allowlist': list });
    await t.rejects(
      act(action),
      { code: 'command_rejected', message: /Nothing changed|already|not whitelisted/ },
      action,
    );
    t.same(sent, []);
  }
});

t.test('returns player_not_found for a player that the server does not know', async (t) => {
  const { act } = server({
    'minecraft:players/kick': [],
    'minecraft:bans': [],
    'minecraft:bans/add': [{ name: 'Bob' }],
  });
  for (const action of ['kick', 'ban'] as const) await t.rejects(act(action), { code: 'player_not_found' }, action);
});

t.test('allows another way after a failed read, but not after a change that may have been made', async (t) => {
  const silent = new ManagementError('no-answer', 'nothing came');
  await t.rejects(server({ 'minecraft:bans': silent }).act('ban'), { name: 'ManagementError', reason: 'unavailable' });
  await t.rejects(server({ 'minecraft:bans': { odd: true } }).act('ban'), {
    name: 'ManagementError',
    reason: 'unavailable',
  });
  await t.rejects(server({ 'minecraft:bans': [], 'minecraft:bans/add': silent }).act('ban'), {
    name: 'ManagementError',
    reason: 'no-answer',
  });
  await t.rejects(server({ 'minecraft:players/kick': silent }).act('kick'), {
    name: 'ManagementError',
    reason: 'no-answer',
  });
});
