import t from 'tap';
import { createFrameFolder } from '../../../../../gateway/panel/src/console/terminal/frame-folder.ts';

t.test('the first two frames of a run are shown, the others are folded', (t) => {
  const folder = createFrameFolder();
  t.same(
    [11, 12, 13, 14].map((seq) => folder.folds(seq)),
    [false, false, true, true],
  );
  t.equal(folder.folded, 2);
  t.equal(folder.run, 11);
  folder.end();
  t.equal(folder.folded, 0);
  t.equal(folder.run, 0);
  t.notOk(folder.folds(20), 'a new run');
  t.end();
});

t.test('an unfolded run is shown in full, all others not', (t) => {
  const folder = createFrameFolder();
  folder.unfold(11);
  t.same(
    [11, 12, 13].map((seq) => folder.folds(seq)),
    [false, false, false],
  );
  t.equal(folder.folded, 0);
  folder.end();
  t.same(
    [21, 22, 23].map((seq) => folder.folds(seq)),
    [false, false, true],
  );
  t.end();
});
