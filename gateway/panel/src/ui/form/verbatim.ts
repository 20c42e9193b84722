/** For inputs of what is read by programs: browsers and phones leave it as it is typed. */
export const VERBATIM = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const;
