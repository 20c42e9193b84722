import { iconLetters } from './icon-letters.ts';

/** Stands for a server without an icon. `size`: pixels. */
export function ServerLetters({ server, size }: { server: { id: string; name: string }; size: number }) {
  const { letters, color } = iconLetters(server);
  return (
    <div className="server-icon" style={{ background: color, width: size, height: size }}>
      <span aria-hidden="true" style={{ fontSize: size * 0.42 }}>
        {letters}
      </span>
    </div>
  );
}
