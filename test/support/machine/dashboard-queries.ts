/** As much of a Grafana dashboard as matters here. */
interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
  templating: { list: { name: string; definition?: string }[] };
}

/** Every PromQL expression of a dashboard, those of its variables included, with whose it is. */
export function dashboardQueries(json: string): { panel: string; query: string }[] {
  const { panels, templating } = JSON.parse(json) as Dashboard;
  return [
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ panel: title, query: expr }))),
    ...templating.list.flatMap(({ name, definition = '' }) => {
      const query = /^label_values\((.*), \w+\)$/.exec(definition)?.[1];
      return query === undefined ? [] : [{ panel: `variable ${name}`, query }];
    }),
  ];
}
