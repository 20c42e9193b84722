export interface PaletteAction {
  label?: string;
  description?: string;
  /** Other names, separated by commas. Not displayed. */
  keywords?: string | string[];
}

export interface ActionGroup<Action extends PaletteAction> {
  group: string;
  actions: Action[];
}

/**
 * Returns the actions that contain every word of the query, in any order. In each group, those with a name that contains the query as it was
 * typed come first, whatever the blanks, then those with all words in one of their names. Groups without any are left out, and all actions
 * beyond `limit`.
 */
export function findActions<Action extends PaletteAction>(
  query: string,
  groups: readonly ActionGroup<Action>[],
  limit = Number.POSITIVE_INFINITY,
): ActionGroup<Action>[] {
  const typed = query.trim().toLocaleLowerCase();
  const words = typed.split(/\s+/);
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  const rankOf = ({ label = '', description = '', keywords = [] }: Action) => {
    const others = [keywords].flat().flatMap((each) => each.split(','));
    const names = [label, ...others].map((name) => name.toLocaleLowerCase());
    if (names.some((name) => withoutBlanks(name).includes(withoutBlanks(typed)))) return 0;
    if (names.some(hasAll)) return 1;
    return hasAll([...names, description.toLocaleLowerCase()].join(' ')) ? 2 : undefined;
  };
  let left = limit;
  return groups
    .map(({ group, actions }) => {
      const found = actions
        .flatMap((action) => {
          const rank = rankOf(action);
          return rank === undefined ? [] : [{ action, rank }];
        })
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ action }) => action)
        .slice(0, left);
      left -= found.length;
      return { group, actions: found };
    })
    .filter(({ actions }) => actions.length > 0);
}

/** "Back up" and "backup" are the same, and Chinese is typed without blanks. */
function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}
