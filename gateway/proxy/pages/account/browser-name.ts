/** A name that people recognise. Every browser claims to be several others, so the order matters. */
export function browserOf(userAgent: string): string {
  const names = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'];
  const found = names.find((name) => userAgent.includes(`${name}/`));
  if (found === 'Edg') return 'Edge';
  return found === 'OPR' ? 'Opera' : (found ?? 'Another browser');
}

/** The kind of device; `undefined` if it is not known. Phones come first: they claim to run what computers run. */
export function deviceOf(userAgent: string): string | undefined {
  const devices = {
    iPhone: 'iPhone',
    iPad: 'iPad',
    Android: 'Android',
    Windows: 'Windows',
    Macintosh: 'Mac',
    CrOS: 'Chromebook',
    Linux: 'Linux',
  };
  return Object.entries(devices).find(([word]) => userAgent.includes(word))?.[1];
}
