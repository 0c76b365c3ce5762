import { brotliDecompressSync, crc32, deflateSync } from 'node:zlib'

export type Bytes = Uint8Array<ArrayBuffer>

const unpacked = (text: string): Bytes => new Uint8Array(brotliDecompressSync(Buffer.from(text, 'base64')))

/** An AVIF of 9,400 x 9,400 pixels of one colour: 2,188 bytes. */
export const largeAvif = (): Bytes =>
  unpacked(
    'H4sIIGYQD80goAPJG1M39R//7QHfmiJTYYxp4zwgDzAgbIt5FgD1zqhPREp2tbSN/cYWAQDIHf2CvWwCIEcAAHCHHHm4d4dsuoKDpxshMBGNs72bD7B/GCoFWLSQm6cdGOSlAQxCEP2qEoCUQ+kgyMMxAAMeQbtygMXRJoCbh2ZML8jP3YthCHn5eAFXWJGdp4vuOfHIRUvN4+JDvl4OAJT0Q0UKsAPgICiFQ1YAXEKJ3JegZ/VfJFw0LBwASCXu9jZ+uAAVTeq7/WDOeR08P6k0bxQW3rKsHfzspvhnGWoA9DfXFGgniLZ4WDrXzgzw0uj7aw05qlXuU0+Jb9NQ88wstJZ0eZcLG3dpOByCkxtF8mOQP1iWoh45Jz+xiFaO/l6tz4W9wLOC3brRXcxsSPzD0h4yUnBluLmma5ld9sS6mHEgfzlxUFb8rZW9msp9z5HeevCcQI3EYZ6Thme4eUYpIqNQzNxEYq6M5iVDxaiv/KT2UBp7j7/nN4K+ZMcOH65ySIgRmjqhT7aK5YfrqtAaFnxnMN1fuP5emvVgOCL39azQT+RjN/r49tTHg2Y/feuPu6ydDMhYfzS8i3ZInL2RXpOPix4to3T5MLVWR15w84tqom2rkYW3ev1/fdE3b8QYU5nCC8/+xCGm9EtIeXNEeqlkJYyX/z+BIGP+k+pWnnGO6HFl8B77p1OKvuP1r+UJbSce+ybeO0gf5PmPHbPXqB0sypf3Gbupcu1Tkd9b3R2Ko8qIJ0cWqcq9Daui7g/+8cGpnz34DwJCxdXAz5sYMvwEt+bOXo1D8or+kptzk1cz9OQCj3+eLpM4bPPhjQCjuHRtDuOfBO+FqagRhSMy',
  )

/** A progressive JPEG of 7,000 x 7,000 pixels, 4:4:4: its coefficients alone take 294 MB. */
export const largeProgressiveJpeg = (): Bytes =>
  unpacked(
    'XwXHiOR5ULbpafZEGXWXkvaXHVQ0ttk/TO6QhKekpdAaqZIaoZFFQyOKDsxzCEVObsSNBKH9oacX9H8JE6870BOe4NtRL98qjCgMpLXlmaQYQYQBh8fMwtzGFJRetFtBqzeb5b/9H5jj5UqtUvJatdYIBGd0jqEoxpIUUY+dLI2cMCg05r1CZVQNwsFjOFptT+dTrvv5vfff+eG0G1quooExJGNwnLErhaVdpn9EobNwBitIIfPAP20kyqeu3RLiv6dif08WQXJz0IraNvZP20EBAADA1T0FCWXT8pdv3rnnlkvWYdxYoYSzuHcs8qeCoyA3PphC5pE+cMzjk0WAAa4uBv8YY9th2VF/JewA',
  )

/** A black PNG, 8 bits of grey for each pixel. */
export function blackPng(width: number, height: number, { isInterlaced = false } = {}): Bytes {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, isInterlaced ? 1 : 0], 8)
  const passes = isInterlaced ? adam7 : [[0, 0, 1, 1] as const]
  const bytes = passes.reduce((sum, [x, y, dx, dy]) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return sum + (columns > 0 && rows > 0 ? rows * (columns + 1) : 0)
  }, 0)
  const data = deflateSync(Buffer.alloc(bytes), { level: 1 })
  const chunks = [chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]))
}

/** First pixel and steps of the passes of an interlaced PNG. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)])
  whole.writeUInt32BE(data.length, 0)
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4)
  return whole
}

/** A GIF animation of 23 bytes a frame: each changes one pixel of the screen, whose sides are at most 2,000 pixels. */
export function gifAnimation(width: number, height: number, frames: number): Bytes {
  const screen = Buffer.from('47494638396100000000800000000000ffffff', 'hex')
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  const all = Array.from({ length: frames }, (_, i) => {
    const frame = Buffer.from('21f90400010000002c00000000010001000002024c0100', 'hex')
    frame.writeUInt16LE(i % width, 9)
    return frame
  })
  return new Uint8Array(Buffer.concat([screen, ...all, Buffer.from(';')]))
}

/** A WebP animation that repeats one picture, given as a WebP without loss and of these sizes. */
export function webpAnimation(still: Buffer, width: number, height: number, frames: number): Bytes {
  const canvas = Buffer.alloc(10)
  canvas[0] = 2
  canvas.writeUIntLE(width - 1, 4, 3)
  canvas.writeUIntLE(height - 1, 7, 3)
  const place = Buffer.alloc(16)
  place.writeUIntLE(width - 1, 6, 3)
  place.writeUIntLE(height - 1, 9, 3)
  place[12] = 50
  // Behind `RIFF`, the length and `WEBP` comes the chunk with the pixels.
  const frame = riff('ANMF', Buffer.concat([place, still.subarray(12)]))
  const chunks = [riff('VP8X', canvas), riff('ANIM', Buffer.alloc(6)), ...Array<Buffer>(frames).fill(frame)]
  return new Uint8Array(riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks])))
}

function riff(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
