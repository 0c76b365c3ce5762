import type { Metadata } from 'sharp'
import { budgets } from '../config/budgets.js'
import type { PictureHeader } from './drawing.js'

/** A picture that the server does not decode. */
export class Undecodable extends Error {
  constructor(readonly failure: 'bad' | 'pixels') {
    super(failure)
  }
}

/**
 * Decides by its header whether a picture is decoded, before its pixels are. The decoder's memory limit bounds every picture; these budgets
 * refuse at once what it would stop after seconds of work.
 * @throws {Undecodable}
 */
export function headerOf(metadata: Metadata): PictureHeader {
  const { compression, pages = 1, autoOrient, format: kind } = metadata
  const { width, height } = autoOrient
  // The library also reads the headers of pictures in HEVC, but this build has no decoder for them.
  if (kind === 'heif' && compression !== 'av1') throw new Undecodable('bad')
  const format = kind === 'heif' ? 'avif' : kind
  // The pages of other formats are no animation.
  const frames = format === 'gif' || format === 'webp' ? pages : 1
  const isTooLarge =
    Math.max(width, height) > budgets.pictureSide.most ||
    width * height > mostPixels(metadata, frames) ||
    width * height * frames > budgets.picturePixels.most
  if (isTooLarge) throw new Undecodable('pixels')
  return { format, width, height, frames }
}

/** The header as thumbnails show the picture: still if its animation would be too large. */
export function shown(header: PictureHeader): PictureHeader {
  const { width, height, frames } = header
  return width * height * frames > budgets.animatedPixels.most ? { ...header, frames: 1 } : header
}

/** Pixels that a frame may have: fewer where the whole frame is in memory, most where it is scaled down while it is read. */
function mostPixels({ format, isProgressive }: Metadata, frames: number): number {
  if (format === 'heif') return budgets.avifPixels.most
  if (format === 'gif' || frames > 1) return budgets.framePixels.most
  if (format === 'webp') return budgets.webpPixels.most
  if (format === 'png' && isProgressive) return budgets.interlacedPngPixels.most
  if (format === 'jpeg' && isProgressive) return budgets.progressiveJpegPixels.most
  return budgets.picturePixels.most
}
