/** The parts of a Grafana dashboard that are used here. */
interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
  templating: { list: { name: string; definition?: string }[] };
}

/** Returns every PromQL expression of a dashboard, including those of its variables, with the panel or variable that uses it. */
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
