export interface PaletteAction {
  label?: string;
  description?: string;
}

export interface ActionGroup<Action extends PaletteAction> {
  group: string;
  actions: Action[];
}

/**
 * Returns the actions that contain every word of the query, in any order. In each group, those whose label contains it as it was typed come
 * first, then those with all words in their label. Groups without any are left out.
 */
export function findActions<Action extends PaletteAction>(
  query: string,
  groups: readonly ActionGroup<Action>[],
): ActionGroup<Action>[] {
  const typed = query.trim().toLocaleLowerCase();
  const words = typed.split(/\s+/);
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  const rankOf = ({ label = '', description = '' }: Action) => {
    const text = label.toLocaleLowerCase();
    if (text.includes(typed)) return 0;
    if (hasAll(text)) return 1;
    return hasAll(`${text} ${description.toLocaleLowerCase()}`) ? 2 : undefined;
  };
  return groups
    .map(({ group, actions }) => ({
      group,
      actions: actions
        .flatMap((action) => {
          const rank = rankOf(action);
          return rank === undefined ? [] : [{ action, rank }];
        })
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ action }) => action),
    }))
    .filter(({ actions }) => actions.length > 0);
}
