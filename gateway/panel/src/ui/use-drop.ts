import { type DragEvent, useState } from 'react';

export interface DropArea {
  /** Something is being dragged over the element. */
  isOver: boolean;
  /** Properties of the element. */
  handlers: { onDragOver(event: DragEvent): void; onDragLeave(): void; onDrop(event: DragEvent): void };
}

/** Makes an element take what is dropped onto it. */
export function useDrop(take: (dropped: DataTransfer) => void): DropArea {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver(event) {
        event.preventDefault();
        setIsOver(true);
      },
      onDragLeave: () => setIsOver(false),
      onDrop(event) {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer);
      },
    },
  };
}
