import t from 'tap';
import {
  compareListed,
  createPage,
  type Listed,
  type PageOptions,
} from '../../../../workers/files/folder/list-page.ts';

const listed: Listed[] = Array.from({ length: 1_000 }, (_, n) => {
  const value = (n * 7_919) % 1_000;
  return { name: `n${value}`, isFolder: value % 10 === 0, value: value % 50 };
});

function pageOf(options: PageOptions): readonly Listed[] {
  const { page, add } = createPage(options);
  for (const entry of listed) add(entry);
  return page;
}

for (const order of ['asc', 'desc'] as const)
  t.test(`the pages of ${order} order are those of a sort, each entry once`, async (t) => {
    const compare = compareListed(order);
    const sorted = listed.toSorted(compare);
    t.ok(
      sorted.slice(0, 100).every(({ isFolder }) => isFolder),
      'folders first',
    );
    const pages: Listed[] = [];
    for (let after: Listed | undefined; ; after = pages.at(-1)) {
      const page = pageOf({ after, limit: 64, compare });
      if (page.length === 0) break;
      pages.push(...page);
    }
    t.same(pages, sorted);
  });

t.test('an entry that has vanished since the last page does not matter', async (t) => {
  const compare = compareListed('asc');
  const after = { name: 'n123456', isFolder: false, value: 25 };
  const page = pageOf({ after, limit: 1, compare });
  t.same(page, [listed.toSorted(compare).find((entry) => compare(entry, after) > 0)]);
});
