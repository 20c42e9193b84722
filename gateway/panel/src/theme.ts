import { alpha, type CSSVariablesResolver, createTheme, type MantineColorsTuple, virtualColor } from '@mantine/core';

const moss: MantineColorsTuple = [
  '#f1f8ec',
  '#e1eed8',
  '#c1ddb0',
  '#9ecb85',
  '#81bb60',
  '#6eb148',
  '#5f9e3b',
  '#4c8230',
  '#3d6a27',
  '#2d521b',
];

const lapis: MantineColorsTuple = [
  '#eff2ff',
  '#dfe5ff',
  '#bccaff',
  '#9aaeff',
  '#7b93fb',
  '#637df2',
  '#4f69e6',
  '#3c52cc',
  '#3244aa',
  '#283785',
];

/** Mantine's red with darker shades, for contrast with white text (WCAG 2.2, 1.4.3). */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#d42f2f',
  '#c02727',
  '#a61e1e',
];

/** Mantine's yellow with a darker last shade, for contrast with the second one. */
const yellow: MantineColorsTuple = [
  '#fff9db',
  '#fff3bf',
  '#ffec99',
  '#ffe066',
  '#ffd43b',
  '#fcc419',
  '#fab005',
  '#f59f00',
  '#f08c00',
  '#8f4a00',
];

const gray: MantineColorsTuple = [
  '#f6f7f9',
  '#edeef2',
  '#dddfe5',
  '#cccfd7',
  '#aeb2bd',
  '#888d9a',
  '#5b606d',
  '#484d58',
  '#32353e',
  '#1e2027',
];

const dark: MantineColorsTuple = [
  '#d4d7de',
  '#aeb3bf',
  '#9399a7',
  '#60667a',
  '#3a3f4b',
  '#2e323c',
  '#23262e',
  '#191b21',
  '#131419',
  '#0d0e11',
];

/** The names after the first are for scripts that it lacks, above all Chinese. */
const SANS =
  '"Figtree Variable", system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
const MONOSPACE = '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Colours by what they mean. Components name only these; the colours behind them are set here. */
const ROLES = {
  accent: 'lapis',
  start: 'moss',
  stop: 'orange',
  good: 'moss',
  warning: 'yellow',
  danger: 'red',
} as const;

const virtualColors = Object.fromEntries(
  Object.entries(ROLES).map(([name, color]) => [name, virtualColor({ name, light: color, dark: color })]),
);

/** Neutral greys, hairlines instead of shadows, one radius; animations under 150 ms, none if the user prefers reduced motion. */
export const theme = createTheme({
  primaryColor: 'lapis',
  primaryShade: 7,
  autoContrast: true,
  colors: { moss, lapis, red, yellow, gray, dark, ...virtualColors },
  defaultRadius: 'sm',
  radius: { sm: '8px' },
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  fontFamily: SANS,
  fontFamilyMonospace: MONOSPACE,
  headings: {
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '24px', lineHeight: '1.25' },
      h2: { fontSize: '18px', lineHeight: '1.35' },
      h3: { fontSize: '15px', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Paper: { defaultProps: { withBorder: true, shadow: 'none' } },
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    // Otherwise fields beside each other do not line up if one has a description.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // With the theme's radius it would be as round as a radio button.
    Checkbox: { defaultProps: { radius: 4 } },
    Modal: {
      defaultProps: { centered: true, transitionProps: { duration: 120 } },
      styles: { title: { fontSize: '18px', fontWeight: 650, lineHeight: 1.35 } },
    },
    // Mantine keeps the closed list of each select on the page, and measures where it would go.
    Combobox: { defaultProps: { keepMounted: false } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 100 } } },
    // Focusable, so that the arrow keys can scroll it. A table that fits has no gap for a scrollbar below it.
    TableScrollContainer: {
      defaultProps: { scrollAreaProps: { offsetScrollbars: 'present', viewportProps: { tabIndex: 0 } } },
    },
    Menu: { defaultProps: { transitionProps: { duration: 100 }, shadow: 'none', withinPortal: true } },
  },
});

const TINTED = ['moss', 'lapis', 'red', 'orange', 'yellow', 'gray'] as const;

/** Readable placeholders and errors; in the dark scheme, transparent tints with coloured text instead of Mantine's solid dark colours. */
export const tints: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  // WCAG 2.2, 1.4.3: Mantine's own placeholders and errors at fields have too little contrast.
  light: {
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-7)',
  },
  dark: Object.fromEntries([
    ['--mantine-color-placeholder', 'var(--mantine-color-dark-2)'],
    ['--mantine-color-error', 'var(--mantine-color-red-4)'],
    ...TINTED.flatMap((name) => tintsOf(name, colors[name]?.[6] ?? '')),
    ...Object.entries(ROLES).flatMap(([role, color]) => tintsOf(role, colors[color]?.[6] ?? '')),
  ]),
});

function tintsOf(name: string, color: string): [string, string][] {
  return [
    [`--mantine-color-${name}-light`, alpha(color, 0.14)],
    [`--mantine-color-${name}-light-hover`, alpha(color, 0.22)],
    [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-3)`],
  ];
}
