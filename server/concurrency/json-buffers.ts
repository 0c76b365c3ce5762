const smallBytes = 16 * 1024
const stepBytes = 256 * 1024
const mostSpare = 6
const mostSpareBytes = 4 * 1024 * 1024

/**
 * Large buffers for lists in answers, used again once they are written. V8 marks its whole heap whenever 64 MB of buffers have been allocated; the
 * answers of some dozen `register` requests of a large organization would cause that.
 */
export class JsonBuffers {
  private readonly spare: ArrayBuffer[] = []

  /** A buffer of at least `size` bytes. */
  take(size: number): ArrayBuffer {
    if (size < smallBytes) return new ArrayBuffer(size)
    const fitting = this.spare.findIndex(buffer => buffer.byteLength >= size)
    return fitting < 0
      ? new ArrayBuffer(Math.ceil(size / stepBytes) * stepBytes)
      : (this.spare.splice(fitting, 1)[0] as ArrayBuffer)
  }

  /** The first `length` bytes of a buffer, as a part of an answer. */
  lend(buffer: ArrayBuffer, length: number): Uint8Array {
    return buffer.byteLength < smallBytes ? new Uint8Array(buffer, 0, length) : new LentBytes(this, buffer, length)
  }

  /** Nothing uses the buffer any more. */
  give(buffer: ArrayBuffer): void {
    if (buffer.byteLength < smallBytes || buffer.byteLength > mostSpareBytes) return
    this.spare.push(buffer)
    if (this.spare.length > mostSpare) this.spare.shift()
  }
}

/** Bytes of one answer. The writer of the connection gives them back when it has written them; otherwise the garbage collector frees them. */
export class LentBytes extends Uint8Array<ArrayBuffer> {
  private owner: JsonBuffers | undefined

  /** Parts of it are plain arrays. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array
  }

  constructor(owner: JsonBuffers, buffer: ArrayBuffer, length: number) {
    super(buffer, 0, length)
    this.owner = owner
  }

  giveBack(): void {
    this.owner?.give(this.buffer)
    this.owner = undefined
  }
}
