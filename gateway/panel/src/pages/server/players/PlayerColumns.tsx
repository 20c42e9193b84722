import { Table, VisuallyHidden } from '@mantine/core';
import { useWords } from '../../../text/section.ts';
import { playersText } from './players-text.ts';

export interface PlayerColumnsProps {
  /** What each column has, after the name. */
  titles: readonly string[];
  hasActions: boolean;
}

/** The head of a table of players. */
export function PlayerColumns({ titles, hasActions }: PlayerColumnsProps) {
  const t = useWords(playersText);
  return (
    <Table.Thead>
      <Table.Tr>
        {[t('name'), ...titles].map((title) => (
          <Table.Th key={title}>{title}</Table.Th>
        ))}
        {hasActions && (
          <Table.Th w={52}>
            <VisuallyHidden>{t('actions')}</VisuallyHidden>
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  );
}
