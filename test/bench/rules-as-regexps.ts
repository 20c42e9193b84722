/** What most tools do: the same rules as regular expressions, one after another over the text without its colours. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\x1b\[[0-9;:]*m/g, ''],
  [/(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?::\d{1,5})?(?![\w.]\w)/g, '[ip]'],
  [/(?<![\w:])\[?(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\]?(?::\d{1,5})?(?![\w:])/gi, '[ip]'],
  [/(?<![\w:])(?:[0-9a-f]{1,4}:){1,6}:(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?(?![\w:])/gi, '[ip]'],
  [/(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi, '[uuid]'],
  [/(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])/gi, '[uuid]'],
  [/(?<![\w:])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:])/gi, '[mac]'],
  [/[\w.%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}/gi, '[email]'],
  [/(?<=\w:\/\/)[^\s/?#"'<>@]+:[^\s/?#"'<>]*(?=@)/g, '[secret]'],
  [/(?<=(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key)["']?\s?[=:]\s?["']?)[^\s"',;&]+/gi, '[secret]'],
  [/(?<=--[\w.-]{0,32}(?:password|token|secret)\s)\S+/gi, '[secret]'],
  [/(?<=authorization: (?:bearer|basic) )\S+/gi, '[token]'],
  [/(?<=cookie: )\w+=[^\r\n]+/gi, '[token]'],
  [/(?<=command:? \/(?:login|l|register|reg|changepassword) )[^\r\n]+/gi, '[secret]'],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, '[token]'],
  [/(?<!\w)[MNO][A-Za-z0-9_-]{22,28}\.[\w-]{6}\.[\w-]{25,}/g, '[token]'],
  [/(?<=\/webhooks\/)\d{15,}\/[\w-]+/g, '[token]'],
  [
    /(?<![A-Za-z0-9])(?:gh[pousr]_\w{30,}|github_pat_\w{22,}|[sr]k_(?:live|test)_\w{10,}|xox[abeprs]-[\w-]{10,})/g,
    '[token]',
  ],
  [/(?<!\w)(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)/g, '[token]'],
  [/(?<!\w)AIza[\w-]{35}(?![\w-])/g, '[token]'],
  [/(?<=\/(?:home|Users)\/)[\w.-]+/g, '[user]'],
  [/(?<=[A-Za-z]:\\{1,2}Users\\{1,2})[^\\\s]+/gi, '[user]'],
];

export function redactByRegexps(lines: Buffer): Buffer {
  let text = lines.toString('latin1');
  for (const [rule, name] of RULES) {
    text = text.replace(rule, name);
  }
  return Buffer.from(text, 'latin1');
}
