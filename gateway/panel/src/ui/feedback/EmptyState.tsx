import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Picture } from '../brand/Picture.tsx';
import type { PictureName } from '../brand/pictures.ts';

export interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Takes only the height it needs, for pages with more content below. */
  brief?: boolean;
  /** `brief` has none by default. */
  picture?: PictureName;
  /** Of the title's heading: 3 in a section that has a title of its own. */
  order?: 2 | 3;
}

export function EmptyState({ title, children, action, brief = false, picture, order = 2 }: EmptyStateProps) {
  const drawing = picture ?? (brief ? undefined : 'lantern');
  return (
    <Center {...(!brief && { mih: '50vh' })} p="md">
      <Stack align="center" maw={420} ta="center">
        {drawing && <Picture name={drawing} width={brief ? 120 : 184} />}
        <Title order={order} size="h2">
          {title}
        </Title>
        {children && <Text c="dimmed">{children}</Text>}
        {action}
      </Stack>
    </Center>
  );
}
