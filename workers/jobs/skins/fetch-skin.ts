import * as z from 'zod';
import type { VendorName } from '../../../shared/domain/vendors.ts';
import { request } from '../vendors/request.ts';
import {
  asVendorError,
  ifThere,
  jsonOrUndefined,
  readBytes,
  type VendorAddresses,
  vendorOf,
} from '../vendors/vendor.ts';
import { isSkin } from './skin-image.ts';

/** A profile has some 700 bytes. */
const MAX_PROFILE_BYTES = 16 * 1024;
/** 64 by 64 pixels need 17 kB even without compression. */
const MAX_SKIN_BYTES = 24 * 1024;

/** Mojang's answers (minecraft.wiki, "Mojang API", "Query player's skin and cape"). `value` is JSON in Base64. */
const profile = z.object({ properties: z.array(z.object({ name: z.string(), value: z.string() })) });
const textures = z.object({ textures: z.object({ SKIN: z.object({ url: z.string() }) }) });
/** Only the hash is used, so that no answer can lead to another host. */
const TEXTURE = /^https?:\/\/textures\.minecraft\.net\/texture\/([0-9a-f]{32,64})$/;

export interface Skin {
  /** Its hash, by which Mojang names it. */
  texture: string;
  png: Buffer;
}

export interface SkinContext {
  vendors: VendorAddresses;
  /** Of each request. Milliseconds. */
  answerWithinMs: number;
  signal: AbortSignal;
}

/**
 * Asks Mojang for the skin of an account. Returns `undefined` if it has none of its own, or Mojang sends something else. Throws
 * `vendor_unavailable`, with `retryAfterSeconds` if Mojang asks to wait. No redirect is followed, and no request is repeated.
 */
export async function fetchSkin(uuid: string, context: SkinContext): Promise<Skin | undefined> {
  const path = `session/minecraft/profile/${uuid.replaceAll('-', '')}`;
  const answer = await get({ name: 'mojangSessions', path, most: MAX_PROFILE_BYTES }, context);
  const texture = answer && textureIn(answer);
  if (texture === undefined) return undefined;
  const png = await get({ name: 'mojangTextures', path: `texture/${texture}`, most: MAX_SKIN_BYTES }, context);
  return png && isSkin(png) ? { texture, png } : undefined;
}

interface Wanted {
  name: VendorName;
  path: string;
  /** Bytes. */
  most: number;
}

/** Returns `undefined` if there is no such thing. */
function get({ name, path, most }: Wanted, context: SkinContext): Promise<Buffer | undefined> {
  const vendor = vendorOf(name, context.vendors);
  const url = `${vendor.base}/${path}`;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(context.answerWithinMs)]);
  const asked = async () => readBytes(await request(vendor, url, { signal, maxRedirects: 0, attempts: 1 }), most);
  return ifThere(asVendorError(vendor, url, context.signal, asked));
}

function textureIn(answer: Buffer): string | undefined {
  const parsed = profile.safeParse(jsonOrUndefined(answer.toString('utf8')));
  const value = parsed.data?.properties.find(({ name }) => name === 'textures')?.value ?? '';
  const worn = textures.safeParse(jsonOrUndefined(Buffer.from(value, 'base64').toString('utf8')));
  return TEXTURE.exec(worn.data?.textures.SKIN.url ?? '')?.[1];
}
