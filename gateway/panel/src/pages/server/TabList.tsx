import { Tabs } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useWords } from '../../text/section.ts';
import { serverText } from './server-text.ts';
import type { Tab } from './tabs.ts';

interface TabListProps {
  tabs: readonly Tab[];
  selected: string;
}

/** The tabs of a server. In a narrow window they scroll sideways, so that the selected one is in sight. */
export function TabList({ tabs, selected }: TabListProps) {
  const t = useWords(serverText);
  const list = useRef<HTMLDivElement>(null);
  // Not scrollIntoView(), which would scroll the page as well.
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected=true]');
    if (!list.current || !tab) return;
    const [around, own] = [list.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    list.current.scrollBy({ left: own.left + own.width / 2 - around.left - around.width / 2 });
  }, [selected]);
  return (
    <Tabs.List ref={list} className="scrolling-tabs">
      {tabs.map(({ tab }) => (
        <Tabs.Tab key={tab} value={tab} style={{ flexShrink: 0 }}>
          {t(tab)}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
