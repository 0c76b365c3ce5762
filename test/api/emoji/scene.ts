import sharp from 'sharp'
import { type GivenFile, sendFiles } from '../../support/files.js'
import type { Answer, Credentials } from '../../support/http.js'

export type Bytes = Uint8Array<ArrayBuffer>

/** A picture of one colour. */
export const canvas = (width: number, height: number, background = { r: 200, g: 30, b: 30 }) =>
  sharp({ create: { width, height, channels: 3, background } })

export const png = (await canvas(300, 200).png().toBuffer()) as Bytes

/** A GIF that shows these colours one after the other. */
export async function animation(width: number, height: number, frames: number): Promise<Bytes> {
  const colour = (i: number) => ({ r: (i * 89) % 256, g: (i * 31) % 256, b: i % 256 })
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, i) => canvas(width, height, colour(i)).png().toBuffer()),
  )
  return (await sharp(pictures, { join: { animated: true } })
    .gif({ loop: 0 })
    .toBuffer()) as Bytes
}

export const uploadEmoji = (
  url: string,
  who: Credentials | null,
  name: string,
  bytes: Bytes | string = png,
): Promise<Answer> => sendEmoji(url, who, name, [{ name: `${name}.png`, bytes }])

export const sendEmoji = (url: string, who: Credentials | null, name: string, files: readonly GivenFile[]) =>
  sendFiles(url, who, `/realm/emoji/${encodeURIComponent(name)}`, { files })
