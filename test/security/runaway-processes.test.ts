/**
 * A game that starts many processes does not affect the machine, the daemon or other servers, and kill ends all of them (CVE-2021-32699 of
 * Wings: unlimited processes of a server).
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const MARK = '86399';

t.test('kill ends children, grandchildren, processes in other groups and those that ignore signals', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const script = [
    `for n in 1 2 3 4 5 6 7 8 9 10; do sleep ${MARK} & done`,
    `(trap '' TERM HUP INT; sleep ${MARK}; sleep ${MARK}) &`,
    `(sh -c "sleep ${MARK} & wait") &`,
    `nohup sleep ${MARK} >/dev/null 2>&1 &`,
    // Two processes in their own sessions: one whose parent stays, and one without a parent.
    `setsid sleep ${MARK} &`,
    `(setsid sh -c 'trap "" TERM HUP; sleep ${MARK} & setsid sleep ${MARK} & exec sleep ${MARK}' >/dev/null 2>&1 &)`,
    'echo READY',
    'wait',
  ].join('\n');
  await gamekeeper.api('POST', '/instances', {
    name: 'Many',
    software: 'custom',
    launch: { command: ['/bin/sh', '-c', script] },
    readyPattern: 'READY',
    crashPolicy: { restart: 'never' },
  });
  await gamekeeper.api('POST', '/instances/many/start');
  await gamekeeper.waitForStatus('many', 'running');
  const games = () => processesOf(gamekeeper.home).filter(({ command }) => command === `sleep ${MARK}`);
  await until('all processes have started', () => games().length >= 17, { describe: games });
  t.equal((await gamekeeper.api('POST', '/instances/many/kill')).status, 200);
  await gamekeeper.waitForStatus('many', 'stopped');
  await until('no process is left', () => games().length === 0, { describe: games, deadlineMs: 10_000 });
});

t.test('the kernel ends processes of a game before ours if memory runs out', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const score = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'));
  const own = processesOf(gamekeeper.home).filter(({ command }) => /daemon\/main|gateway\/main/.test(command));
  for (const { pid } of own) t.ok(score(pid) <= 0, 'our processes do not raise their score');
});
