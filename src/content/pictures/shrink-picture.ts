import type { Metadata, Sharp } from 'sharp';

/** A picture ready to be shown. @property ending file extension, with its dot */
export type CleanPicture = { bytes: Uint8Array; ending: '.jpg' | '.png' };

/**
 * Prepares a picture to be shown: upright, at most 1200 pixels wide, a JPEG or PNG in sRGB, and without
 * metadata, such as where it was taken.
 * @throws an error for the owner if it can't be shown
 */
export async function cleanPicture(source: Uint8Array): Promise<CleanPicture> {
  // Loaded here, since commands on a server with only the build don't need it.
  const { default: sharp } = await import('sharp');
  const open = () => sharp(source, { limitInputPixels: false, failOn: 'truncated' });
  const metadata =
    source.length === 0
      ? undefined
      : await open()
          .metadata()
          .catch(() => undefined);
  rejectUnsuitable(source, metadata);
  const picture = open().autoOrient().resize({ width: MAX_WIDTH, withoutEnlargement: true }).toColourspace('srgb');
  try {
    return await encode(picture, metadata!);
  } catch (error) {
    throw new Error('this picture cannot be read. Open it in an image editor and save it as JPEG or PNG', {
      cause: error,
    });
  }
}

/** In pixels: twice the 600 of an email's column, for high-density screens. */
export const MAX_WIDTH = 1200;

/** Phones take pictures of 108 million pixels; one with a billion would use up the memory. */
const MAX_PIXELS = 120e6;

const FORMATS = new Set(['jpeg', 'png', 'gif', 'webp', 'heif', 'tiff']);

function rejectUnsuitable(source: Uint8Array, metadata: Metadata | undefined): void {
  const isHeif = new TextDecoder('latin1').decode(source.subarray(4, 8)) === 'ftyp';
  if (isHeif && metadata?.compression !== 'av1') {
    throw new Error(
      'this is a HEIC picture, which few programs can read. On an iPhone choose Settings, Camera, Formats, Most Compatible, or save it as JPEG',
    );
  }
  if (metadata === undefined || !FORMATS.has(metadata.format)) {
    throw new Error('expected a picture: JPEG, PNG, GIF or WebP');
  }
  if ((metadata.pages ?? 1) > 1 && metadata.format !== 'tiff') {
    throw new Error(
      'this picture is animated, and many email programs would show only one frame. Save that frame as a PNG',
    );
  }
  if (metadata.width * metadata.height > MAX_PIXELS) {
    const size = `${metadata.width}×${metadata.height}`;
    throw new Error(`this picture has ${size} pixels; expected at most 120 million pixels`);
  }
}

/** Chooses JPEG or PNG: a photograph is smaller as a JPEG; a chart is smaller, and sharper, as a PNG. */
async function encode(picture: Sharp, { format, hasAlpha }: Metadata): Promise<CleanPicture> {
  const isDrawn = ['png', 'gif'].includes(format) || hasAlpha;
  const png = isDrawn ? await picture.clone().png({ compressionLevel: 9 }).toBuffer() : undefined;
  const isClear = hasAlpha && !(await picture.clone().stats()).isOpaque;
  if (png !== undefined && (isClear || png.length <= MAX_PNG_BYTES)) return { bytes: png, ending: '.png' };
  const jpeg = await picture.flatten({ background: '#ffffff' }).jpeg({ quality: 82, progressive: true }).toBuffer();
  return { bytes: jpeg, ending: '.jpg' };
}

const MAX_PNG_BYTES = 500_000;

/** @returns the size of a picture or a drawing in pixels */
export async function measurePicture(source: Uint8Array): Promise<{ width: number; height: number }> {
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(source, { limitInputPixels: false }).metadata();
  return { width, height };
}
