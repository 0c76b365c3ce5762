import { crc32, deflateRawSync } from 'node:zlib'

interface ZipFile {
  readonly name: string | Buffer
  readonly content: string | Buffer
  /** General purpose flags: 1 encrypted, 8 sizes behind the data, 0x800 the name is UTF-8. */
  readonly flags?: number
  /** In place of the packed content. */
  readonly packed?: Buffer
}

/** A ZIP archive, also a wrong one. */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, flags = 0x800, packed } of files) {
    const nameBytes = Buffer.from(name as string)
    const bytes = Buffer.from(content as string)
    const data = packed ?? deflateRawSync(bytes)
    const sizes = [crc32(bytes), data.length, bytes.length]
    const local = [
      u32(0x04034b50),
      u16(20, flags, 8, 0, 0),
      u32(...((flags & 8) === 0 ? sizes : [0, 0, 0])),
      u16(nameBytes.length, 0),
    ]
    const behind = (flags & 8) === 0 ? [] : [u32(0x08074b50, ...sizes)]
    const body = Buffer.concat([...local, nameBytes, data, ...behind])
    directory.push(
      u32(0x02014b50),
      u16(20, 20, flags, 8, 0, 0),
      u32(...sizes),
      u16(nameBytes.length, 0, 0, 0, 0),
      u32(0, offset),
      nameBytes,
    )
    bodies.push(body)
    offset += body.length
  }
  const central = Buffer.concat(directory)
  const end = [u32(0x06054b50), u16(0, 0, files.length, files.length), u32(central.length, offset), u16(0)]
  return Buffer.concat([...bodies, central, ...end])
}

const numbers = (width: number, values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(width * values.length)
  values.forEach((value, i) => {
    buffer.writeUIntLE(value, i * width, width)
  })
  return buffer
}
const u16 = (...values: readonly number[]): Buffer => numbers(2, values)
const u32 = (...values: readonly number[]): Buffer => numbers(4, values)
