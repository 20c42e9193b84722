import t from 'tap';
import type { Gamerule } from '../../../../../shared/schema/gamerules.ts';
import type { GameProcess } from '../../../../../workers/supervisor/game/game-process.ts';
import { KeptReading } from '../../../../../workers/supervisor/world/gamerules/kept-reading.ts';
import { until } from '../../../../support/machine/until.ts';

const GAME = {} as GameProcess;

function countedReading() {
  let readings = 0;
  const read = async (): Promise<Gamerule[]> => {
    readings++;
    return [];
  };
  return { read, readings: () => readings };
}

t.test('a reading is kept for one game, and for its time', async (t) => {
  const kept = new KeptReading({ keepMs: 50 });
  const { read, readings } = countedReading();
  t.equal(await kept.of(GAME, read), await kept.of(GAME, read));
  t.equal(readings(), 1);
  await kept.of({} as GameProcess, read);
  t.equal(readings(), 2);
  await until('it is read again', async () => {
    await kept.of(GAME, read);
    return readings() > 3;
  });
});

t.test('a reading that fails or is forgotten is not kept', async (t) => {
  const kept = new KeptReading({ keepMs: 60_000 });
  const { read, readings } = countedReading();
  await t.rejects(
    kept.of(GAME, async () => {
      throw new Error('no answer');
    }),
    /no answer/,
  );
  await kept.of(GAME, read);
  kept.forget();
  await kept.of(GAME, read);
  t.equal(readings(), 2);
});
