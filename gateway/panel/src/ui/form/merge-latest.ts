/**
 * Returns the fields of `latest` that the user has not edited, that is, whose `typed` value equals the `seen` one. Compares by content.
 */
export function uneditedFields<Values extends object>(
  latest: Values,
  { typed, seen }: { typed: Values; seen: Values },
): Partial<Values> {
  const unedited = Object.entries(latest).filter(([key]) =>
    isSame(typed[key as keyof Values], seen[key as keyof Values]),
  );
  return Object.fromEntries(unedited) as Partial<Values>;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
