import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { consoleText } from '../console-text.ts';
import { LEVEL_FILTERS, type LevelFilter } from '../terminal/kept-lines.ts';
import type { LiveConsole } from '../use-console.ts';

const TEXTS = { all: 'showAll', warnings: 'showWarnings', errors: 'showErrors' } as const;

/** Chooses which lines the console shows, and shows how many it hides. */
export function LevelMenu({ live: { filtered, terminal } }: { live: LiveConsole }) {
  const t = useWords(consoleText);
  const { number } = useQuantities();
  const { filter, hidden, folding } = filtered;
  const isOff = filter === 'all';
  const label = `${t('show')}: ${t(TEXTS[filter])}`;
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon
            variant={isOff ? 'subtle' : 'light'}
            color={isOff ? 'gray' : 'accent'}
            aria-label={label}
            title={label}
          >
            <IconFilter size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup value={filter} onChange={(chosen) => terminal.current?.filter(chosen as LevelFilter)}>
            {LEVEL_FILTERS.map((each) => (
              <Menu.RadioItem key={each} value={each} closeMenuOnClick>
                {t(TEXTS[each])}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.CheckboxItem checked={folding} onChange={(checked) => terminal.current?.fold(checked)} closeMenuOnClick>
            {t('fold')}
          </Menu.CheckboxItem>
        </Menu.Dropdown>
      </Menu>
      {!isOff && (
        <Text size="xs" c="dimmed" truncate>
          {t('hiddenLines', { count: number(hidden) })}
        </Text>
      )}
    </>
  );
}
