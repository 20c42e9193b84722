import { UnstyledButton } from '@mantine/core';
import { useWords } from '../../text/section.ts';
import { consoleText } from '../console-text.ts';
import { type Command, commandText } from './commands.ts';

/** Rows that are visible at once. */
const MAX_ROWS = 5;
/** As in console.css. Pixels. */
const ROW_HEIGHT = 32;

export interface SuggestionsProps {
  id: string;
  commands: readonly Command[];
  /** Index of the command that Enter chooses. */
  active: number | undefined;
  onChoose: (command: Command) => void;
}

/** The commands that fit what is typed, above the command line (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). */
export function Suggestions({ id, commands, active, onChoose }: SuggestionsProps) {
  const t = useWords(consoleText);
  const what = useWords(commandText);
  return (
    <div
      id={id}
      className="console-suggestions"
      role="listbox"
      aria-label={t('commands')}
      style={{ maxHeight: heightOf(commands.length) }}
    >
      {commands.map((command, index) => (
        <UnstyledButton
          key={command}
          id={optionId(id, index)}
          ref={index === active ? scrollIntoView : undefined}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(command)}
        >
          <span>{command}</span>
          <small>{what(command)}</small>
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

/** Height of the list with this many commands, in pixels. */
export function heightOf(count: number): number {
  return Math.min(count, MAX_ROWS) * ROW_HEIGHT;
}
