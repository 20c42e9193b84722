import { Box } from '@mantine/core';
import { useMemo } from 'react';
import { encode } from 'uqr';

const QR_PX = 200;

/** Drawn in the browser, so that its content goes to no other host. Dark on light in both schemes, which all scanners read. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { border: 2 }), [text]);
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <Box bg="#fff" p={4} bdrs="sm">
      <svg
        role="img"
        aria-label={label}
        width={QR_PX}
        height={QR_PX}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        style={{ display: 'block' }}
      >
        <path d={path} fill="#000" />
      </svg>
    </Box>
  );
}
