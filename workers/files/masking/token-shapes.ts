/**
 * Secrets that their shape alone tells, in text whose characters are bytes. The group `secret` is what is hidden. The console knows more of them, and
 * their sources (workers/supervisor/console/redaction/rules/prefixed-tokens.ts).
 */
const SHAPES: readonly RegExp[] = [
  /(?<![A-Za-z0-9])(?<secret>gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{22,255}|glpat-[\w-]{20,255})/g,
  /(?<![A-Za-z0-9])(?<secret>xox[a-eprs]-[\w-]{10,255}|xapp-[\w-]{10,255}|[sr]k_(?:live|test)_\w{10,255})/g,
  /(?<![A-Za-z0-9])(?<secret>sk-(?:ant-|proj-)?[\w-]{20,255}|AIza[\w-]{35}|npm_[A-Za-z0-9]{30,255}|mr[ap]_[A-Za-z0-9]{40,255})/g,
  /(?<![A-Za-z0-9])(?<secret>(?:AKIA|ASIA)[A-Z0-9]{16})(?![A-Z0-9])/g,
  // A JSON Web Token (RFC 7519), and a bot of Discord or Telegram.
  /(?<![\w-])(?<secret>eyJ[\w-]{8,4096}\.[\w-]{8,4096}(?:\.[\w-]{0,4096})?)/g,
  /(?<![\w-])(?<secret>[MNO][A-Za-z0-9_-]{22,28}\.[\w-]{6}\.[\w-]{25,64})/g,
  /(?<![\w-])(?<secret>\d{8,10}:[\w-]{35})(?![\w-])/g,
  // Webhooks of Discord and Slack: who knows the address can post.
  /\/webhooks\/\d{15,20}\/(?<secret>[\w-]{20,255})/g,
  /\/services\/(?<secret>T\w{6,12}\/B\w{6,12}\/\w{16,64})/g,
  /\bdigest[\t ]+(?<secret>\S.{0,4096})/gi,
];
const AWS_KEY_ID = /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/;
/** Beside a key id: alone, a commit has this shape as well. */
const AWS_SECRET = /(?<![A-Za-z0-9/+=])(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g;

/** Most lines have none, which one look finds out. */
const ANY_SHAPE = new RegExp(SHAPES.map(({ source, ignoreCase }) => `(?${ignoreCase ? 'i' : ''}:${source})`).join('|'));

/** Replaces such secrets in a line. */
export function hideShapes(line: string, hide: (secret: string) => string): string {
  if (!ANY_SHAPE.test(line)) return line;
  const shapes = AWS_KEY_ID.test(line) ? [AWS_SECRET, ...SHAPES] : SHAPES;
  return shapes.reduce(
    (hidden, shape) => hidden.replace(shape, (all, secret: string) => all.replace(secret, hide)),
    line,
  );
}
