import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** Thrown while rendering a part of the panel that could not be loaded: Gamekeeper is not responding, or was upgraded. */
export class PartNotLoaded extends Error {
  override name = 'PartNotLoaded';
}

/** Returns a component that is loaded when it is first shown. `PartBoundary` shows why it could not be loaded. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new PartNotLoaded('A part of the panel could not be loaded.', { cause });
    }
  });
}
