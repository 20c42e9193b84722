/** Servers that answer in words which no description knows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { PlayerAction } from '../../../../shared/domain/players/player-action.ts';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { checkUnknownLines } from '../../../../workers/supervisor/players/other-words.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const SERVER = path.join(import.meta.dirname, '../../../fixtures/scripted-server.ts');
const PASSWORD = 'correct horse battery';
const LIST = 'There are 1 of a max of 20 players online: Anna';

/** Runs a server with these answers. Returns how to act on its players. */
async function withAnswers(t: Test, answers: Record<string, string>, { hasRcon = true } = {}) {
  const rcon = { port: await freePort(), password: PASSWORD };
  const command = [process.execPath, SERVER, String(rcon.port), PASSWORD, JSON.stringify(answers)];
  const { service, config, waitForPhase } = await runSupervisor(t, {
    config: { software: 'custom', launch: { command }, readyPattern: 'up', ...(hasRcon && { rcon }) },
  });
  mkdirSync(config.directory, { recursive: true });
  await service.start();
  await waitForPhase('running');
  if ('joined' in answers) service.sendLine('joined');
  if ('joined' in answers) await until('a player has joined', () => service.status().players !== undefined);
  return { act: (name: string, action: PlayerAction) => service.playerAction({ name, action }), config };
}

t.test('nobody of that name is player_not_found, in quotes and in other words', async (t) => {
  const words = [
    'Player "Ben" not found',
    "Player 'Ben' was not found.",
    'Player «Ben» not found',
    'Couldn’t find player Ben',
    'Ben is not online.',
    "ERROR: Ben isn't on this server",
    'Unknown player: Ben',
    'No such player',
    'There is no player called Ben.',
    'User Ben does not exist',
  ];
  const actions: PlayerAction[] = ['kick', 'ban', 'op', 'deop', 'pardon'];
  for (const [index, answer] of words.entries()) {
    const action = actions[index % actions.length]!;
    const { act } = await withAnswers(t, { [`${action} Ben`]: answer });
    await t.rejects(act('Ben', action), { code: 'player_not_found' }, answer);
  }
});

t.test('who is not in the list of players was not kicked, whatever the answer says', async (t) => {
  const { act } = await withAnswers(t, { list: LIST, 'kick Ben': 'Nope, try again', 'kick anna': 'Out you go' });
  await t.rejects(act('Ben', 'kick'), { code: 'player_not_found' });
  t.equal(await act('anna', 'kick'), 'Out you go', 'somebody who is there, in any case');
});

t.test('without a list of players an unknown answer is passed on', async (t) => {
  const { act } = await withAnswers(t, { 'kick Ben': 'Done and dusted', 'ban Ben': 'No more Ben' });
  t.equal(await act('Ben', 'kick'), 'Done and dusted');
  t.equal(await act('Ben', 'ban'), 'No more Ben');
});

t.test("the server's own list proves what its answer leaves open", async (t) => {
  const { act, config } = await withAnswers(t, { 'ban Ben': 'Ben is not online, banned anyway' });
  writeFileSync(path.join(config.directory, 'banned-players.json'), '[{"name":"Ben"}]');
  t.equal(await act('Ben', 'ban'), 'Ben is not online, banned anyway');
});

t.test('an unknown command is command_rejected, and quotes do not hide a success', async (t) => {
  const { act } = await withAnswers(t, {
    'ban Ben': 'Command "ban" not found',
    'kick Ben': 'Kicked player "Ben"',
    'op Ben': "Made 'Ben' a server operator",
    list: LIST,
  });
  await t.rejects(act('Ben', 'ban'), { code: 'command_rejected', message: 'Command "ban" not found' });
  t.equal(await act('Ben', 'kick'), 'Kicked player "Ben"');
  t.equal(await act('Ben', 'op'), "Made 'Ben' a server operator");
});

t.test('nobody of that name is player_not_found on a console without RCON as well', async (t) => {
  const { act, config } = await withAnswers(
    t,
    {
      joined: 'Anna joined the game',
      'kick Ben': '<Anna> hi\nPlayer "Ben" is not online.',
      'op Ben': "Can't op Ben: no such player",
      'deop Ben': 'Error: player is offline',
      'ban Ben': 'Ben is not online, banned anyway',
      'pardon Ben': '<Anna> Ben is not online\nBenjamin was not found\n[Member] Anna: no such player',
      'kick Anna': 'Anna has left us',
    },
    { hasRcon: false },
  );
  for (const action of ['kick', 'op', 'deop'] as const)
    await t.rejects(act('Ben', action), { code: 'player_not_found' }, action);
  mkdirSync(config.directory, { recursive: true });
  writeFileSync(path.join(config.directory, 'banned-players.json'), '[{"name":"Ben"}]');
  t.equal(await act('Ben', 'ban'), '', "the server's own list proves the opposite");
  t.equal(await act('Ben', 'pardon'), '', 'chat, and a message about somebody else');
  t.equal(await act('Anna', 'kick'), '');
});

t.test('nothing is typed into the console of a program that has not shown that it is Minecraft', async (t) => {
  const { act } = await withAnswers(t, { 'kick Ben': 'Kicked Ben', 'ban Ben': 'Banned Ben' }, { hasRcon: false });
  for (const action of ['kick', 'ban'] as const)
    await t.rejects(act('Ben', action), {
      code: 'invalid_state',
      message: /has not shown that it is a Minecraft server/,
    });
});

t.test('on a console, the players who are known to be online decide about a kick', async (t) => {
  const definition = softwareOf('custom')!;
  const kick = (lines: string[], online: string[] | undefined) =>
    checkUnknownLines({ name: 'Ben', action: 'kick' }, { lines, definition, folder: '/', online });
  await t.rejects(kick([], ['Anna']), { code: 'player_not_found' });
  await t.rejects(kick(['Ben is not online'], ['Anna']), { code: 'player_not_found' });
  await t.resolves(kick(['Out you go, Ben'], ['Anna']), 'the list may be some seconds old');
  await t.resolves(kick(['Ben is not online'], ['anna', 'ben']), 'somebody else may have caused the line');
  await t.resolves(kick([], undefined));
});
