import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { oneDarkHighlightStyle } from '@codemirror/theme-one-dark';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { languageOf } from './languages.ts';

export interface CodeOptions {
  /** Of the file, for its language. */
  name: string;
  /** For screen readers. */
  label: string;
  isReadOnly: boolean;
  isDark: boolean;
  /** What marks of syntax errors say. */
  wrong: string;
}

/** What an editor of a file consists of, without its text. */
export function codeExtensions({ name, label, isReadOnly, isDark, wrong }: CodeOptions): Extension {
  return [
    lineNumbers(),
    history(),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    lintGutter(),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    syntaxHighlighting(isDark ? oneDarkHighlightStyle : defaultHighlightStyle),
    languageOf(name, wrong),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorState.readOnly.of(isReadOnly),
    EditorView.theme(LOOK, { dark: isDark }),
  ];
}

const LOOK = {
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--mantine-color-body)' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)', border: 'none' },
};
