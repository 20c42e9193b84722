/** Tokens that can only read metrics, on both databases. */
import t from 'tap';
import { createScrapeTokens } from '../../../../../gateway/proxy/fleet/prometheus/scrape-tokens.ts';
import { withEachDatabase } from '../../../../support/proxy/proxy-store.ts';
import { registeredDaemons } from '../../../../support/proxy/registered-daemons.ts';

withEachDatabase(t, async (t, store) => {
  const { database } = store;
  const tokens = createScrapeTokens(store);
  const { accountId } = await registeredDaemons(store);
  const token = await tokens.add(accountId);
  t.equal(await tokens.accountOf(token), accountId);
  t.equal(await tokens.accountOf(`${token}x`), undefined);
  t.notMatch(JSON.stringify(await database.selectFrom('scrape_token').selectAll().execute()), token);
  await database.updateTable('account').set({ disabled: 1 }).where('id', '=', accountId).execute();
  t.equal(await tokens.accountOf(token), undefined, 'the account is disabled');
  await database.updateTable('account').set({ disabled: 0 }).where('id', '=', accountId).execute();
  const added = await Promise.allSettled(Array.from({ length: 8 }, () => tokens.add(accountId)));
  t.equal(added.filter(({ status }) => status === 'fulfilled').length, 4, 'five in all, also at once');
  const [first] = await tokens.ofAccount(accountId);
  await tokens.remove(first?.id ?? '', 'another account');
  t.equal((await tokens.ofAccount(accountId)).length, 5);
  await tokens.remove(first?.id ?? '', accountId);
  t.equal((await tokens.ofAccount(accountId)).length, 4);
});
