import type { Sharp } from 'sharp'
import { budgets } from '../config/budgets.js'
import type { Drawing, Drawn, PictureHeader, ThumbnailForm } from './drawing.js'
import { headerOf, shown, Undecodable } from './read-header.js'
import { sharp } from './sharp.js'

const emojiSide = 64
const clear = { r: 0, g: 0, b: 0, alpha: 0 }

type Open = (isAnimated?: boolean) => Sharp

/** Reads the header of a picture, and draws it if its budget of pixels allows. @throws {Undecodable}; the errors of the library */
export async function draw(bytes: Buffer, drawing: Drawing): Promise<Drawn> {
  const options = { failOn: 'error', sequentialRead: true, unlimited: false } as const
  const header = headerOf(await sharp(bytes, { ...options, limitInputPixels: false }).metadata())
  const limitInputPixels = budgets.picturePixels.most
  const open: Open = (animated = false) => sharp(bytes, { ...options, limitInputPixels, animated }).autoOrient()
  return { header: shown(header), made: await drawOpened(open, header, drawing) }
}

function drawOpened(open: Open, header: PictureHeader, drawing: Drawing): Promise<Buffer[]> {
  switch (drawing.kind) {
    case 'header':
      return Promise.resolve([])
    case 'square':
      return drawSquare(open)
    case 'wide':
      return inTurn([open()], picture => picture.resize(800, 100, inside).png())
    case 'emoji':
      return drawEmoji(open, header)
    case 'thumbnails':
      return inTurn(drawing.forms, form => drawThumbnail(open, shown(header), form))
  }
}

const inside = { fit: 'inside', withoutEnlargement: true } as const

/** One after the other, because each takes the memory of the decoded picture. */
async function inTurn<T>(items: readonly T[], make: (item: T) => Sharp): Promise<Buffer[]> {
  const made: Buffer[] = []
  for (const item of items) made.push(await make(item).toBuffer())
  return made
}

async function drawSquare(open: Open): Promise<Buffer[]> {
  const medium = await open().resize(500, 500, { fit: 'cover' }).png().toBuffer()
  // A large picture is decoded once.
  return [medium, await sharp(medium).resize(100, 100).png().toBuffer()]
}

// Thumbnails with more pixels than this are encoded with less effort: a third of the time, and a tenth more bytes.
const carefulPixels = 1_000_000

function drawThumbnail(open: Open, header: PictureHeader, { width, height, isAnimated }: ThumbnailForm): Sharp {
  const frames = isAnimated ? header.frames : 1
  const pixels = Math.min(width, header.width) * Math.min(height, header.height) * frames
  return open(frames > 1)
    .resize(width, height, inside)
    .webp({ effort: pixels > carefulPixels ? 1 : 4 })
}

const emojiEncoders: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  avif: picture => picture.avif(),
  gif: picture => picture.gif(),
  jpeg: picture => picture.jpeg(),
  png: picture => picture.png(),
  webp: picture => picture.webp(),
}

/** A still picture is cut around its centre; the frames of an animation are shown as a whole. */
function drawEmoji(open: Open, { format, frames }: PictureHeader): Promise<Buffer[]> {
  const encode = emojiEncoders[format]
  if (!encode || frames > budgets.emojiFrames.most) throw new Undecodable('bad')
  if (frames === 1) return inTurn([open()], picture => encode(picture.resize(emojiSide, emojiSide, { fit: 'cover' })))
  const whole = (picture: Sharp) => picture.resize(emojiSide, emojiSide, { fit: 'contain', background: clear })
  return inTurn([true, false], isAnimated => (isAnimated ? encode(whole(open(true))) : whole(open()).png()))
}
