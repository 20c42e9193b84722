import type { WebSocket } from 'ws';
import type { ConsoleService, ConsoleSource } from '../services/console.ts';
import { FrameMaker } from './frame.ts';
import { createHub } from './hub.ts';
import type { Format } from './message.ts';
import type { Reel } from './reel.ts';
import type { Viewer } from './viewer.ts';

/** RFC 6455, section 7.4.1. */
const NORMAL_CLOSURE = 1000;

export interface LiveConsole {
  readonly source: ConsoleSource;
  readonly frames: FrameMaker;
  reel(format: Format): Reel;
  /** Shows the console to a viewer, whose socket is closed when the instance is deleted. Returns a function that removes the viewer. */
  join(viewer: Viewer, socket: WebSocket): () => void;
}

export function createLiveConsoles(service: ConsoleService): (id: string) => LiveConsole {
  const consoles = new Map<string, LiveConsole>();
  const frames = new FrameMaker();

  function create(id: string): LiveConsole {
    const source = service.source(id);
    const sockets = new Set<WebSocket>();
    const hub = createHub({
      source,
      frames,
      onGone() {
        for (const socket of sockets) socket.close(NORMAL_CLOSURE, 'the instance was deleted');
      },
      onEmpty: () => consoles.delete(id),
    });
    return {
      source,
      frames,
      reel: hub.reel,
      join(viewer, socket) {
        sockets.add(socket);
        const leave = hub.join(viewer);
        return () => {
          sockets.delete(socket);
          leave();
        };
      },
    };
  }

  return (id) => {
    const known = consoles.get(id) ?? create(id);
    consoles.set(id, known);
    return known;
  };
}
