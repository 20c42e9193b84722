import { readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { dashboardQueries } from '../../support/machine/dashboard-queries.ts';
import { build } from '../../support/processes/gateway-app.ts';

const DOCS = path.resolve(import.meta.dirname, '../../../docs');

t.test('the Grafana dashboard uses only existing metrics', async (t) => {
  const { app } = await build(t);
  const { body } = await app.inject('/metrics');
  const types = new Map(Array.from(body.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type]) => [name, type]));
  const queries = dashboardQueries(readFileSync(path.join(DOCS, 'grafana-dashboard.json'), 'utf8'));
  t.ok(queries.length > 20);
  for (const { panel, query } of queries)
    for (const [name] of query.matchAll(/gamekeeper_\w+/g)) {
      const metric = types.get(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
      const type = types.get(metric);
      t.ok(type, `${panel}: ${name}`);
      if (metric !== name) t.equal(type, 'histogram', name);
      if (type === 'counter') t.match(query, /(?:rate|increase)\(/, `${panel}: a counter is shown as a rate`);
    }
});

t.test('docs/metrics.md names every metric', async (t) => {
  const { app } = await build(t);
  const { body } = await app.inject('/metrics');
  const documented = readFileSync(path.join(DOCS, 'metrics.md'), 'utf8');
  const names = Array.from(body.matchAll(/^# TYPE gamekeeper_(\S+) /gm), ([, name = '']) => name);
  t.ok(names.length > 30);
  for (const name of names) t.ok(documented.includes(`\`${name}\``), name);
});
