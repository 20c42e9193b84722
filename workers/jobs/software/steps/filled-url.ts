import { fillPlaceholders, type Values } from '../../../../shared/domain/software/placeholders.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';

/** Fills in an address. A value stays one part of it: it can neither choose another host nor leave its folder. Throws `installation_failed`. */
export function filledUrl(template: string, values: Values): string {
  const encoded = Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value.toWellFormed())]);
  const url = fillPlaceholders(template, Object.fromEntries(encoded));
  const plain = fillPlaceholders(template, Object.fromEntries(encoded.map(([name]) => [name, 'x'])));
  if (shapeOf(url) === shapeOf(plain)) return url;
  throw new GamekeeperError('installation_failed', `The address ${template} cannot be filled in with these values.`, {
    resolution: 'Set another version, or correct the variables that it has.',
  });
}

/** Dots as a whole name would lead elsewhere, and are gone once it is parsed. */
function shapeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin} ${pathname.split('/').length}`;
}
