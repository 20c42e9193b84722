import type { ISearchDecorationOptions } from '@xterm/addon-search';
import type { ITheme } from '@xterm/xterm';

export type Scheme = 'dark' | 'light';

/** The selected match is the brightest spot: the terminal shows it as its selection, above its colour as a match. */
const MATCHES: Record<Scheme, { selected: string; other: string }> = {
  dark: { selected: '#ffd75e', other: '#57481c' },
  light: { selected: '#ffb700', other: '#faecc0' },
};

export function themeWhileSearching(scheme: Scheme): ITheme {
  const { selected } = MATCHES[scheme];
  return { ...TERMINAL_THEMES[scheme], selectionBackground: selected, selectionInactiveBackground: selected };
}

/** xterm leaves out an alpha channel of these colours. */
export function searchDecorations(scheme: Scheme): ISearchDecorationOptions {
  const { selected, other } = MATCHES[scheme];
  return {
    matchBackground: other,
    activeMatchBackground: selected,
    matchOverviewRuler: '#dcb862',
    activeMatchColorOverviewRuler: selected,
  };
}

/** The sixteen ANSI colours in each scheme. xterm adjusts all other colours (`minimumContrastRatio`). */
export const TERMINAL_THEMES: Record<Scheme, ITheme> = {
  dark: {
    background: '#131419',
    foreground: '#d4d7de',
    cursor: '#131419',
    selectionBackground: '#3c52cc99',
    black: '#2e323c',
    red: '#e5786d',
    green: '#86c166',
    yellow: '#dcb862',
    blue: '#7aa5dc',
    magenta: '#c792d6',
    cyan: '#6cbcb8',
    white: '#d4d7de',
    brightBlack: '#888d9a',
    brightRed: '#f2958c',
    brightGreen: '#a3d886',
    brightYellow: '#edcf86',
    brightBlue: '#9cc0ee',
    brightMagenta: '#dab0e6',
    brightCyan: '#8fd4d0',
    brightWhite: '#f6f7f9',
  },
  light: {
    background: '#fdfdfe',
    foreground: '#1e2027',
    cursor: '#fdfdfe',
    selectionBackground: '#bccaff',
    black: '#1e2027',
    red: '#b3261e',
    green: '#3d6a27',
    yellow: '#8a6100',
    blue: '#1f5aa8',
    magenta: '#8a2f9b',
    cyan: '#0f6b66',
    white: '#666b78',
    brightBlack: '#666b78',
    brightRed: '#c9372c',
    brightGreen: '#4c8230',
    brightYellow: '#9a7000',
    brightBlue: '#2f6fc4',
    brightMagenta: '#a13fb3',
    brightCyan: '#18807a',
    brightWhite: '#484d58',
  },
};
