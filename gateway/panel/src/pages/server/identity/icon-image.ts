/** Width and height of a server's icon; Minecraft rejects others. Pixels. */
export const ICON_SIZE = 64;

const MAX_BYTES = 30_000_000;
/** Decoded, each pixel takes 4 bytes of the browser's memory. */
const MAX_PIXELS = 50_000_000;

export type ImageFault = 'not-an-image' | 'damaged' | 'too-large';

/** An image that the user has chosen. Whoever opens it calls `close`. */
export interface ChosenImage {
  url: string;
  element: HTMLImageElement;
  close: () => void;
}

/** Part of an image, in its pixels. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Opens an image, or returns why it cannot be an icon. */
export async function openImage(file: Blob): Promise<ChosenImage | ImageFault> {
  const type = imageType(new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  if (type === undefined) return 'not-an-image';
  if (file.size > MAX_BYTES) return 'too-large';
  // The name says nothing about what is in the file.
  const url = URL.createObjectURL(new Blob([file], { type }));
  const element = new Image();
  element.src = url;
  // Before the pixels are decoded, which could take gigabytes.
  const isLoaded = await new Promise<boolean>((resolve) => {
    element.onload = () => resolve(true);
    element.onerror = () => resolve(false);
  });
  const fault = isLoaded ? element.naturalWidth * element.naturalHeight > MAX_PIXELS && 'too-large' : 'damaged';
  if (!fault) return { url, element, close: () => URL.revokeObjectURL(url) };
  URL.revokeObjectURL(url);
  return fault;
}

/** Returns the type that the first 12 bytes of a file show. Never SVG, which can contain scripts. */
export function imageType(start: Uint8Array): string | undefined {
  const text = String.fromCharCode(...start);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp';
  return undefined;
}

/** Draws a part of an image as large as the canvas. */
export function drawIcon(canvas: HTMLCanvasElement, image: HTMLImageElement, { x, y, width, height }: Part): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  // Pixel art keeps its pixels.
  context.imageSmoothingEnabled = width > ICON_SIZE;
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
}

export function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser cannot create a PNG.'))),
      'image/png',
    );
  });
}
