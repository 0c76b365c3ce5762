import { closeSync, openSync, readSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { Archive, isNoFile, mostEntries, tooLarge, withoutRoot } from './archive.js'
import type { Faults } from './faults.js'
import { UnusableArchive } from './source.js'

// JSON of a chat is packed to a tenth or twentieth. Small files of repetitions may be packed better.
const greatestRatio = 200
const smallBytes = 1024 * 1024

const utf8Flag = 0x800

// An archive of years has hundreds of thousands of files, and these buffers would take 200 MB.
const unneeded = {
  fileNameRaw: Buffer.alloc(0),
  extraFieldRaw: Buffer.alloc(0),
  fileCommentRaw: Buffer.alloc(0),
  extraFields: [],
}

/** A ZIP archive, read by its central directory: sizes in local headers can be 0. */
export class ZipArchive extends Archive {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    /** The archive again, for small files. */
    private readonly handle: number,
  ) {
    super()
  }

  /** Opens the archive and reads its names. @throws {UnusableArchive} */
  static async open(file: string, faults: Faults): Promise<ZipArchive> {
    const zip = await openZip(file)
    try {
      return new ZipArchive(zip, withoutRoot(await readEntries(zip, faults)), openSync(file, 'r'))
    } catch (error) {
      zip.close()
      throw error
    }
  }

  get names(): readonly string[] {
    return [...this.entries.keys()]
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  sizeOf(name: string): number {
    return this.entries.get(name)?.uncompressedSize ?? 0
  }

  protected refusalOf(name: string, mostBytes: number): string | undefined {
    const { uncompressedSize, compressedSize } = this.entryOf(name)
    const isPackedTooWell = uncompressedSize > smallBytes && uncompressedSize > compressedSize * greatestRatio
    return (
      tooLarge(uncompressedSize, mostBytes) ??
      (isPackedTooWell ? `it is ${Math.floor(uncompressedSize / compressedSize)} times as large as packed` : undefined)
    )
  }

  protected async *piecesOf(name: string): AsyncGenerator<Buffer> {
    const entry = this.entryOf(name)
    if (entry.uncompressedSize <= smallBytes && entry.compressedSize <= smallBytes) yield this.readSmall(entry)
    else yield* (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>
  }

  private entryOf(name: string): Entry {
    const entry = this.entries.get(name)
    if (!entry) throw new Error(`the archive has no ${name}`)
    return entry
  }

  /** An archive of years has hundreds of thousands of files: a stream for each takes ten times as long. @throws {Error} */
  private readSmall(entry: Entry): Buffer {
    const whole = this.bytesAt(entry.relativeOffsetOfLocalHeader, headerBytes + headerRoom + entry.compressedSize)
    if (whole.length < headerBytes || whole.readUInt32LE(0) !== headerMark) throw new Error('it has no header')
    const start = headerBytes + whole.readUInt16LE(26) + whole.readUInt16LE(28)
    const packed =
      start <= headerBytes + headerRoom
        ? whole.subarray(start, start + entry.compressedSize)
        : this.bytesAt(entry.relativeOffsetOfLocalHeader + start, entry.compressedSize)
    if (packed.length < entry.compressedSize) throw new Error('it is cut off')
    const bytes = unpacked(entry, packed)
    if (bytes.length !== entry.uncompressedSize) throw new Error('it has another size than the archive says')
    if (crc32(bytes) !== entry.crc32) throw new Error('its checksum is wrong')
    return bytes
  }

  private bytesAt(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length)
    return buffer.subarray(0, readSync(this.handle, buffer, 0, length, offset))
  }

  close(): void {
    this.zip.close()
    closeSync(this.handle)
  }
}

// Of a local header without its name and extra fields, which usually fit into the room behind.
const headerBytes = 30
const headerRoom = 512
const headerMark = 0x04034b50
const [stored, deflated] = [0, 8]

function unpacked({ compressionMethod, uncompressedSize }: Entry, packed: Buffer): Buffer {
  if (compressionMethod === stored) return packed
  if (compressionMethod === deflated) return inflateRawSync(packed, { maxOutputLength: Math.max(uncompressedSize, 1) })
  throw new Error(`it is packed by method ${compressionMethod}`)
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false, lazyEntries: true, decodeStrings: false })
  } catch (error) {
    const { message } = error as Error
    throw new UnusableArchive(
      /multi-disk/.test(message)
        ? `${file} is one of several parts of an archive: join them first.`
        : `${file} is cut off or damaged: its end is missing. Download it again.`,
    )
  }
}

async function readEntries(zip: ZipFile, faults: Faults): Promise<Map<string, Entry>> {
  if (zip.entryCount > mostEntries) {
    throw new UnusableArchive(`The archive has ${zip.entryCount} files, more than ${mostEntries}.`)
  }
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry)
      if (isNoFile(name)) continue
      if (entry.isEncrypted())
        throw new UnusableArchive('The archive is encrypted: unpack it, and pack it without a password.')
      if (entries.has(name)) faults.add('files that the archive has twice', name, 'the last one counts')
      entries.set(name, Object.assign(entry, unneeded))
    }
  } catch (error) {
    if (error instanceof UnusableArchive) throw error
    throw new UnusableArchive(
      `The archive is damaged: ${(error as Error).message}. Download it again, or pack it again with \`zip -r\`.`,
    )
  }
  return entries
}

/** Programs that write names in UTF-8 often do not say so. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | utf8Flag : generalPurposeBitFlag
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false).normalize('NFC')
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
