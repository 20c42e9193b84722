import { UnstyledButton } from '@mantine/core';
import { GAMERULE_WORDS } from '../../text/gamerule-words.ts';
import { useLanguage } from '../../text/language.ts';
import { section, useWords } from '../../text/section.ts';
import { consoleText } from '../console-text.ts';
import { argumentText } from './arguments.ts';
import { commandText } from './commands.ts';
import type { Suggestion } from './completion.ts';

const aboutText = section({
  en: { ...commandText.en, ...argumentText.en },
  de: { ...commandText.de, ...argumentText.de },
  zh: { ...commandText.zh, ...argumentText.zh },
});

/** Rows that are visible at once. */
const MAX_ROWS = 5;
/** As in console.css. Pixels. */
const ROW_HEIGHT = 32;

export interface SuggestionsProps {
  id: string;
  suggestions: readonly Suggestion[];
  /** Index of the suggestion that Enter chooses. */
  active: number | undefined;
  onChoose: (suggestion: Suggestion) => void;
}

/** What fits what is typed, above the command line (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). */
export function Suggestions({ id, suggestions, active, onChoose }: SuggestionsProps) {
  const t = useWords(consoleText);
  const what = useWords(aboutText);
  const { language } = useLanguage();
  const describe = (about: NonNullable<Suggestion['about']>) =>
    typeof about === 'string' ? what(about) : GAMERULE_WORDS[about.gamerule]?.[language][0];
  return (
    <div
      id={id}
      className="console-suggestions"
      role="listbox"
      aria-label={t('suggestions')}
      style={{ maxHeight: heightOf(suggestions.length) }}
    >
      {suggestions.map((suggestion, index) => (
        <UnstyledButton
          key={suggestion.word}
          id={optionId(id, index)}
          ref={index === active ? scrollIntoView : undefined}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
        >
          <span>{suggestion.word}</span>
          {suggestion.about && <small>{describe(suggestion.about)}</small>}
        </UnstyledButton>
      ))}
    </div>
  );
}

/** React calls it once an option has become the active one. */
function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** Height of the list with this many suggestions, in pixels. */
export function heightOf(count: number): number {
  return Math.min(count, MAX_ROWS) * ROW_HEIGHT;
}
