import t from 'tap';
import { obstaclesTo, type Situation } from '../../../../daemon/cli/upgrade/obstacles.ts';

const NEXT = { version: '2.0.0', supervisors: { oldest: 2, newest: 4 }, schema: 9, jobsSchema: 3 };
const QUIET: Situation = { running: [], supervisors: [], jobs: [], schema: 9, jobsSchema: 3 };

t.test('compatible supervisors and an older database are no obstacle', async (t) => {
  const supervisors = [2, 4].map((protocol) => ({ name: 'A', protocol }));
  t.same(obstaclesTo(NEXT, { ...QUIET, supervisors, schema: 1, jobsSchema: 0 }), []);
  t.same(obstaclesTo(NEXT, { ...QUIET, jobs: [{ kind: 'backup', instanceId: 'a', state: 'done' }] }), []);
});

t.test('all obstacles are reported at once', async (t) => {
  const obstacles = obstaclesTo(NEXT, {
    running: [],
    supervisors: [
      { name: 'Old', protocol: 1 },
      { name: 'New', protocol: 5 },
    ],
    jobs: [{ kind: 'backup', instanceId: 'a', state: 'running' }],
    schema: 10,
    jobsSchema: 3,
  });
  t.match(obstacles, [
    /of Old speaks protocol 1, and 2\.0\.0 only 2 to 4/,
    /of New/,
    /backup of a is running/,
    /newer/,
  ]);
  t.equal(obstacles.length, 4);
});

t.test('a database can be too new by the tables of either process', async (t) => {
  t.match(obstaclesTo(NEXT, { ...QUIET, jobsSchema: 4 }), [/written by a newer version than 2\.0\.0/]);
  t.match(obstaclesTo(NEXT, { ...QUIET, schema: 1, jobsSchema: 4 }), [/newer/]);
});
