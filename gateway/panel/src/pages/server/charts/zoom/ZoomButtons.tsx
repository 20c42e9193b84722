import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react';
import { useLanguage } from '../../../../text/language.ts';
import { useWords } from '../../../../text/section.ts';
import { chartsText } from '../charts-text.ts';
import { formatSpan } from '../plot/time-labels.ts';
import { moved, type Span, scaled } from './chart-zoom.ts';
import type { Zoom } from './use-zoom.ts';

/** Zooms all charts by mouse, finger and keyboard, and shows to which time. A button without effect keeps the focus. */
export function ZoomButtons({ zoom }: { zoom: Zoom }) {
  const t = useWords(chartsText);
  const { language } = useLanguage();
  const buttons = [
    { label: t('zoomIn'), Icon: IconZoomIn, to: scaled(zoom.span, 0.5) },
    { label: t('zoomOut'), Icon: IconZoomOut, to: scaled(zoom.span, 2) },
    { label: t('earlier'), Icon: IconChevronLeft, to: moved(zoom.span, -0.5) },
    { label: t('later'), Icon: IconChevronRight, to: moved(zoom.span, 0.5) },
    { label: t('resetZoom'), Icon: IconZoomReset, to: null },
  ];
  const works = (to: Span | null) => (to ? zoom.changes(to) : zoom.isZoomed);
  return (
    <Group gap={4} role="group" aria-label={t('zoom')}>
      {buttons.map(({ label, Icon, to }) => (
        <ActionIcon
          key={label}
          variant="default"
          size={32}
          aria-label={label}
          title={label}
          {...(!works(to) && { 'data-disabled': true, 'aria-disabled': true })}
          onClick={() => works(to) && zoom.zoomTo(to)}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
      <Text size="xs" c="dimmed" role="status" ml={4}>
        {zoom.isZoomed && formatSpan(language, zoom.span)}
      </Text>
    </Group>
  );
}
