/** The same rules the way most tools have them: regular expressions, applied in sequence to the text without its colours. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\x1b\[[0-9;:]*m/g, ''],
  [/\b(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?::\d{1,5})?\b/g, '[ip]'],
  [/\[?\b(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b(?:\]:\d{1,5})?/gi, '[ip]'],
  [/\b(?:[0-9a-f]{1,4}:){1,6}:(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?/gi, '[ip]'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '[uuid]'],
  [/\b[0-9a-f]{32}\b/gi, '[uuid]'],
  [/\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi, '[mac]'],
  [/\b[\w.%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}\b/gi, '[email]'],
  [/(:\/\/)[^\s/?#"'<>@:]*:[^\s/?#"'<>@]+@/g, '$1[secret]@'],
  [/((?:password|passwd|passphrase|pwd|secret|token|api[_-]?key)["']?\s?[=:]\s?["']?)[^\s"',;&]+/gi, '$1[secret]'],
  [/(--[\w.-]*(?:password|token|secret)\s)\S+/gi, '$1[secret]'],
  [/(authorization: (?:bearer|basic) )\S+/gi, '$1[token]'],
  [/(cookie: )\w+=[^\r\n]+/gi, '$1[token]'],
  [/(command:? \/(?:login|l|register|reg|changepassword) )[^\r\n]+/gi, '$1[secret]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, '[token]'],
  [/\b[MNO][A-Za-z0-9_-]{22,28}\.[\w-]{6}\.[\w-]{25,}/g, '[token]'],
  [/(\/webhooks\/)\d{15,}\/[\w-]+/g, '$1[token]'],
  [/\b(?:gh[pousr]_\w{30,}|github_pat_\w{22,}|[sr]k_(?:live|test)_\w{10,}|xox[abeprs]-[\w-]{10,})/g, '[token]'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, '[token]'],
  [/\bAIza[\w-]{35}/g, '[token]'],
  [/(\/(?:home|Users)\/)[\w.-]+/g, '$1[user]'],
  [/([A-Za-z]:\\{1,2}Users\\{1,2})[^\\\s]+/gi, '$1[user]'],
];

export function redactByRegexps(lines: Buffer): Buffer {
  let text = lines.toString('latin1');
  for (const [rule, name] of RULES) {
    text = text.replace(rule, name);
  }
  return Buffer.from(text, 'latin1');
}
