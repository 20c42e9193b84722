import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { type MotdSpan, parseMotd } from './parse-motd.ts';

/** A message of the day with its colours, on the dark ground of the game's list of servers. */
export function Motd({ motd }: { motd: string }) {
  const lines = useMemo(() => parseMotd(motd), [motd]);
  return (
    <div className="motd">
      {lines.map((spans, line) => (
        <Text key={line} size="sm" truncate>
          {spans.map((span, index) => (
            <span key={index} style={styleOf(span)}>
              {span.text}
            </span>
          ))}
        </Text>
      ))}
    </div>
  );
}

function styleOf({ color, bold, italic, underlined, struck, obfuscated }: MotdSpan): React.CSSProperties {
  const lines = [underlined && 'underline', struck && 'line-through'].filter(Boolean).join(' ');
  return {
    ...(color !== undefined && { color }),
    ...(bold && { fontWeight: 700 }),
    ...(italic && { fontStyle: 'italic' }),
    ...(lines !== '' && { textDecoration: lines }),
    ...(obfuscated && { filter: 'blur(3px)' }),
  };
}
