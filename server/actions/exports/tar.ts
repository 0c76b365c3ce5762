const block = 512
// Of a name, and the largest size, in the plain form of a header; PAX records hold longer ones.
const mostName = 100
const mostSize = 0o77777777777

export interface TarEntry {
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly time: Date
}

/** The head of a file in a tar archive (POSIX ustar, with PAX records where they are needed). `paddingOf` bytes follow its contents. */
export function tarHead(entry: TarEntry): Buffer {
  const { name, size } = entry
  const records = [
    ...(Buffer.byteLength(name) > mostName || !/^[\x20-\x7e]*$/.test(name) ? [record('path', name)] : []),
    ...(size > mostSize ? [record('size', String(size))] : []),
  ]
  if (records.length === 0) return header(entry, '0')
  const pax = Buffer.from(records.join(''))
  return Buffer.concat([
    header({ ...entry, name: 'pax', size: pax.length }, 'x'),
    pax,
    paddingOf(pax.length),
    header({ ...entry, size: Math.min(size, mostSize) }, '0'),
  ])
}

/** The zeros that follow `size` bytes of a file. */
export const paddingOf = (size: number): Buffer => Buffer.alloc(-size & (block - 1))

/** What ends an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * block)

/** The length of a PAX record counts its own digits. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes
  while (length !== bytes + String(length).length) length = bytes + String(length).length
  return `${length}${rest}`
}

function header({ name, size, time }: TarEntry, type: '0' | 'x'): Buffer {
  const head = Buffer.alloc(block)
  const octal = (value: number, at: number, digits: number) => head.write(value.toString(8).padStart(digits, '0'), at)
  Buffer.from(name).copy(head, 0, 0, mostName)
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(Math.floor(time.getTime() / 1000), 136, 11)
  head.write(' '.repeat(8), 148)
  head.write(type, 156)
  head.write('ustar\x0000', 257, 'latin1')
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return head
}
