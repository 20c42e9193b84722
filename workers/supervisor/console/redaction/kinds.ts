/** What the redaction rules can find. The order is also the precedence where two finds cover the same bytes. */
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
  /** The end of a line that was cut: nothing stands in its place. */
  cut: 9,
} as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** What stands in the log instead: `[secret]`, or nothing. */
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
};

/** Those that get a pseudonym, as people are told apart by them: `[ip-3fa2c1]`. */
export const RECOGNISABLE: readonly Kind[] = [KIND.email, KIND.uuid, KIND.mac, KIND.ip];

/** Six hexadecimal digits tell a few hundred players apart and give nothing away. */
export const PSEUDONYM_DIGITS = 6;

/** The bytes of the longest name: `[email-3fa2c1]`, `[private-key]`. */
export const LONGEST_NAME = 16;

const labels = Object.values(LABELS).filter((label) => label !== '');
const NAME = new RegExp(`^\\[(?:${labels.join('|')})(?:-[0-9a-f]{${PSEUDONYM_DIGITS}})?\\]$`);

/** Whether a text is such a name, put there by an earlier redaction. */
export function isName(text: string): boolean {
  return NAME.test(text);
}
