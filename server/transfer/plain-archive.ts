import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Archive, tooLarge } from './archive.js'

/** One file that is not packed, as an archive that has it alone. */
export class PlainArchive extends Archive {
  private constructor(
    private readonly file: string,
    private readonly name: string,
    private readonly bytes: number,
  ) {
    super()
  }

  /** `name`: by which its source knows it. */
  static async open(file: string, name: string): Promise<PlainArchive> {
    return new PlainArchive(file, name, (await stat(file)).size)
  }

  get names(): readonly string[] {
    return [this.name]
  }

  has(name: string): boolean {
    return name === this.name
  }

  sizeOf(name: string): number {
    return this.has(name) ? this.bytes : 0
  }

  close(): void {}

  protected refusalOf(_: string, mostBytes: number): string | undefined {
    return tooLarge(this.bytes, mostBytes)
  }

  protected piecesOf(): AsyncIterable<Buffer> {
    return createReadStream(this.file, { highWaterMark: 256 * 1024 })
  }
}
