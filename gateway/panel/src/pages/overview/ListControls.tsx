import { Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useWords } from '../../text/section.ts';
import { type Arrangement, GROUPINGS, SORTS } from './arrange.ts';
import { overviewText } from './overview-text.ts';

interface ListControlsProps {
  arrangement: Arrangement;
  onChange: (arrangement: Arrangement) => void;
  children: ReactNode;
}

/** Filters, sorts and groups the list. */
export function ListControls({ arrangement, onChange, children }: ListControlsProps) {
  const t = useWords(overviewText);
  const choose = <Key extends 'sort' | 'group'>(key: Key, values: readonly Arrangement[Key][]) => ({
    'aria-label': t(key),
    data: values.map((value) => ({ value, label: value === 'none' ? t(value) : `${t(key)}: ${t(value)}` })),
    value: arrangement[key],
    allowDeselect: false,
    onChange: (value: string | null) => onChange({ ...arrangement, [key]: value }),
    flex: '1 1 150px',
    maw: 220,
  });
  return (
    <Group gap="sm" mb="md" role="search">
      <TextInput
        flex="2 1 260px"
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={16} />}
        value={arrangement.search}
        onChange={({ currentTarget: { value } }) => onChange({ ...arrangement, search: value })}
      />
      <Select {...choose('sort', SORTS)} />
      <Select {...choose('group', GROUPINGS)} />
      {children}
    </Group>
  );
}
