import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { readTickAnswer } from '../../../../workers/supervisor/vitals/tick-answer.ts';

/** Answers by kind of server and command, with their meaning. Over RCON, vanilla joins messages without separators. */
const ANSWERS: [kind: string, command: string, answer: string, stats: object | undefined][] = [
  [
    'vanilla',
    'tick query',
    'The game is running normallyTarget tick rate: 20.0 per second.\nAverage time per tick: 0.3ms (Target: 50.0ms)Percentiles: P50: 0.2ms P95: 0.8ms P99: 4.7ms, sample: 100',
    { tickTimeMs: 0.3, tps: 20 },
  ],
  [
    'fabric',
    'tick query',
    "The game is running, but can't keep up with the target tick rateTarget tick rate: 20,0 per second.\nAverage time per tick: 80,0ms (Target: 50,0ms)Percentiles: P50: 79,1ms P95: 90,0ms P99: 91,2ms, sample: 100",
    { tickTimeMs: 80, tps: 12.5 },
  ],
  [
    'quilt',
    'tick query',
    'The game is sprintingTarget tick rate: 40.0 per second (ignored, reference only).\nAverage time per tick: 4.0msPercentiles: P50: 4.0ms P95: 4.0ms P99: 4.0ms, sample: 100',
    { tickTimeMs: 4, tps: 40 },
  ],
  [
    'paper',
    'mspt',
    'Server tick times (avg/min/max) from last 5s, 10s, 1m:\n◴ 0.3/0.0/6.0, 0.4/0.0/6.0, 0.5/0.0/6.0',
    { tickTimeMs: 0.3, tps: 20 },
  ],
  [
    'purpur',
    'mspt',
    '§6Server tick times §e(§7avg§e/§7min§e/§7max§e)§6 from last 5s§7,§6 10s§7,§6 1m§e:\n§6◴ §a62,5§7/§a60,0§7/§a66,1§e, §a61,0§7/§a60,0§7/§a66,1§e, §a61,0§7/§a60,0§7/§a66,1',
    { tickTimeMs: 62.5, tps: 16 },
  ],
  ['paper', 'tps', '§6TPS from last 1m, 5m, 15m: §a*20.0, §a19.98, §a20.0', { tps: 20 }],
  ['purpur', 'tps', 'TPS from last 5s, 1m, 5m, 15m: 18.42, 19.0, 20.0, 20.0', { tps: 18.42 }],
  [
    'folia',
    'tps',
    "Server Health Report\n - Online Players: 2\n - Total regions: 2\n - Utilisation: 36.0% / 100.0%\n - Load rate: 0.13, Gen rate: 41.67\n - Lowest Region TPS: 17.11\n - Median Region TPS: 17.44\n - Highest Region TPS: 17.78\nHighest 3 utilisation regions\n - Region around block [w:'world',7,80,-9]:\n    23.3% util at 15.97 MSPT at 17.11 TPS\n    Chunks: 251 Players: 1 Entities: 135\n - Region around block [w:'world_the_end',-25,80,23]:\n    10.8% util at 11.92 MSPT at 17.78 TPS",
    { tickTimeMs: 15.97, tps: 17.11 },
  ],
  ['folia', 'tps', ' - Total regions: 0\n - Lowest Region TPS: 20.00\n - Median Region TPS: 20.00', { tps: 20 }],
  [
    'forge',
    'forge tps',
    'Dim minecraft:overworld (minecraft:overworld): Mean tick time: 1.234 ms. Mean TPS: 20.000Overall: Mean tick time: 55.556 ms. Mean TPS: 18.000',
    { tickTimeMs: 55.56, tps: 18 },
  ],
  ['forge', 'forge tps', 'Overall : Mean tick time: 2,5 ms. Mean TPS: 20,000', { tickTimeMs: 2.5, tps: 20 }],
  ['neoforge', 'neoforge tps', 'Overall: Mean tick time: 0.000 ms. Mean TPS: 20.000', { tickTimeMs: 0, tps: 20 }],
  ['vanilla', 'tick query', 'Unknown or incomplete command, see below for errortick query<--[HERE]', undefined],
  ['paper', 'mspt', 'Unknown command. Type "/help" for help.', undefined],
  ['forge', 'forge tps', 'commands.forge.tps.summary.all', undefined],
  ['paper', 'tps', '', undefined],
];

t.test('the answers of every kind of server are parsed, other text is not', async (t) => {
  for (const [kind, command, answer, stats] of ANSWERS) {
    const question = softwareOf(kind)?.tickTime?.find((each) => each.command === command);
    if (!question) throw new Error(`${kind} is not asked "${command}"`);
    t.same(readTickAnswer(answer, new RegExp(question.pattern)), stats, `${kind}: ${answer.slice(0, 40)}`);
  }
});

t.test('only the end of a long answer is parsed, and invalid numbers are ignored', async (t) => {
  const pattern = /(?<ms>[\d.]*) ms/;
  t.equal(readTickAnswer(`1 ms${' '.repeat(20_000)}`, pattern), undefined);
  t.same(readTickAnswer(`${' '.repeat(20_000)}1 ms`, pattern), { tickTimeMs: 1, tps: 20 });
  t.equal(readTickAnswer('. ms', pattern), undefined);
});

t.test('servers without a tick command are not asked', async (t) => {
  for (const kind of ['velocity', 'bedrock', 'custom']) t.equal(softwareOf(kind)?.tickTime, undefined, kind);
});
