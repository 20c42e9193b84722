import { Anchor, Breadcrumbs, Text } from '@mantine/core';

export interface FolderWayProps {
  /** With `/`; '' is the top. */
  path: string;
  /** The name of the top. */
  top: string;
  label: string;
  onOpen: (path: string) => void;
}

/** The folder that is shown, and the ones above it. */
export function FolderWay({ path, top, label, onOpen }: FolderWayProps) {
  const names = path === '' ? [] : path.split('/');
  const steps = [
    { name: top, to: '' },
    ...names.map((name, index) => ({ name, to: names.slice(0, index + 1).join('/') })),
  ];
  return (
    <nav aria-label={label} style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Breadcrumbs separatorMargin={6} style={{ flexWrap: 'wrap' }}>
        {steps.map(({ name, to }) =>
          to === path ? (
            <Text key={to} size="sm" fw={600} aria-current="location">
              {name}
            </Text>
          ) : (
            <Anchor key={to} component="button" size="sm" onClick={() => onOpen(to)}>
              {name}
            </Anchor>
          ),
        )}
      </Breadcrumbs>
    </nav>
  );
}
