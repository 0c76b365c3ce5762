import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export interface Picture {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

const longest = 90_000_000
const square = { width: 9_400, height: 9_400, channels: 3, background: '#c81e1e' } as const

/** Pictures of a few kilobytes, and up to 90 million pixels. */
export async function craftedPictures(): Promise<readonly Picture[]> {
  const avif = await sharp({ create: square }).avif({ quality: 30, effort: 0 }).toBuffer()
  return [
    { name: 'square.avif', type: 'image/avif', bytes: avif },
    { name: 'wide.png', type: 'image/png', bytes: blackPng(longest, 1) },
    { name: 'tall.png', type: 'image/png', bytes: blackPng(1, longest) },
  ]
}

/** 8 bits of grey for each pixel. */
function blackPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const lines = deflateSync(Buffer.alloc(height * (width + 1)))
  const chunks = [chunk('IHDR', head), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)])
  whole.writeUInt32BE(data.length, 0)
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4)
  return whole
}
