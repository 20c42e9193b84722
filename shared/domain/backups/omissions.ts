export const OMISSION_REASONS = ['outside-link', 'link', 'unsupported-name', 'path-too-long', 'replaced'] as const;

/** A file or folder that nobody excluded, but that a backup, clone or export does not contain. */
export interface Omission {
  path: string;
  reason: (typeof OMISSION_REASONS)[number];
}

const MEANING: Readonly<Record<Omission['reason'], string>> = {
  'outside-link': 'a link that leads out of the server folder',
  link: 'a link, which an export cannot contain',
  'unsupported-name': 'a name that a ZIP cannot hold',
  'path-too-long': 'a path of more than 4,095 bytes',
  replaced: 'replaced by something else meanwhile',
};

/** Names up to `most` omissions with their reasons, in one line. */
export function sayOmissions(
  { omitted, omittedCount }: { omitted: readonly Omission[]; omittedCount: number },
  most = 5,
): string {
  const named = omitted.slice(0, most).map(({ path, reason }) => `${path} (${MEANING[reason]})`);
  const rest = omittedCount - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
