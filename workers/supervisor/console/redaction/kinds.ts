/** The kinds of hits. If two hits cover the same bytes, the lower number wins. */
export const KIND = {
  secret: 0,
  token: 1,
  privateKey: 2,
  custom: 3,
  email: 4,
  uuid: 5,
  mac: 6,
  ip: 7,
  user: 8,
  /** The end of a line that was cut. Nothing replaces it. */
  cut: 9,
  /** Part of a line for which an owner's pattern took too long. */
  unchecked: 10,
} as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** The text in the log: `[secret]`, or nothing if empty. */
export const LABELS: Readonly<Record<Kind, string>> = {
  [KIND.secret]: 'secret',
  [KIND.token]: 'token',
  [KIND.privateKey]: 'private-key',
  [KIND.custom]: 'redacted',
  [KIND.email]: 'email',
  [KIND.uuid]: 'uuid',
  [KIND.mac]: 'mac',
  [KIND.ip]: 'ip',
  [KIND.user]: 'user',
  [KIND.cut]: '',
  [KIND.unchecked]: 'unchecked',
};

/** The kinds that get a pseudonym such as `[ip-3fa2c1]`, because they tell people apart. */
export const RECOGNISABLE: readonly Kind[] = [KIND.email, KIND.uuid, KIND.mac, KIND.ip];

/** Enough hexadecimal digits to tell a few hundred players apart, too few to identify one. */
export const PSEUDONYM_DIGITS = 6;

/** In bytes: `[email-3fa2c1]`, `[private-key]`. */
export const LONGEST_NAME = 16;

const labels = Object.values(LABELS).filter((label) => label !== '');
const NAME = new RegExp(`^\\[(?:${labels.join('|')})(?:-[0-9a-f]{${PSEUDONYM_DIGITS}})?\\]$`);

/** Returns whether a text was put there by an earlier redaction. */
export function isName(text: string): boolean {
  return NAME.test(text);
}
