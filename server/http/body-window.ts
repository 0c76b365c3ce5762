import { BodyOverflow } from './body-overflow.js'

/** A connection whose body arrives as a stream. */
export interface BodySource {
  /** Stops reading the connection. */
  hold(): void
  /** Reads the connection. */
  proceed(): void
}

/** Size of a block of a `BodyWindow`, in bytes. */
export const blockBytes = 128 * 1024

// Writing to a disk that stands still stops the event loop.
const standstillMs = 500

/**
 * Bounds the memory of the streamed bodies of a worker. uWebSockets reads a connection until the kernel has no more of it, also after
 * `pause`, so a few clients of the same machine or network can bring a hundred megabytes in one turn of the event loop: what does not fit
 * into the window goes to files. Blocks are used again, because the garbage collector lets tens of megabytes of them pile up. Connections
 * that wait are read in the order in which they began to wait.
 */
export class BodyWindow {
  private bytes = 0
  private isFull = false
  /** When the window became full, or a block was given back after that. */
  private progressAt = 0
  private readonly wanting = new Set<BodySource>()
  private readonly spare: Buffer[] = []

  /**
   * @param most bytes of blocks in use from which on no connection is read until half of them are given back
   * @param patienceMs how long a body may keep its blocks, or wait for one, without progress
   * @param directory for the files; created when it is needed
   */
  constructor(
    private readonly most: number,
    readonly patienceMs: number,
    private readonly directory: string,
  ) {}

  /** Whether bytes that have arrived go to a file: there is no room for them, and the store makes progress. */
  get overflows(): boolean {
    return this.bytes >= this.most && performance.now() - this.progressAt < standstillMs
  }

  /** Place for the bytes of one body that arrive while there is no room. */
  overflow(): BodyOverflow {
    return new BodyOverflow(this.directory)
  }

  /** The source wants bytes: its connection is read now, or when there is room. */
  want(source: BodySource): void {
    this.wanting.add(source)
    if (!this.isFull) source.proceed()
  }

  /** The source wants no bytes. */
  leave(source: BodySource): void {
    this.wanting.delete(source)
  }

  /** A block for bytes that have arrived. */
  takeBlock(): Buffer {
    const block = this.spare.pop() ?? Buffer.allocUnsafeSlow(blockBytes)
    this.change(blockBytes)
    return block
  }

  /** Gives a block back that nothing uses any more. */
  giveBlock(block: Buffer): void {
    if (this.spare.length * blockBytes < this.most) this.spare.push(block)
    this.change(-blockBytes)
  }

  private change(bytes: number): void {
    this.bytes += bytes
    if (bytes < 0) this.progressAt = performance.now()
    if (this.isFull ? this.bytes > this.most / 2 : this.bytes < this.most) return
    this.isFull = !this.isFull
    this.progressAt = performance.now()
    for (const source of this.wanting) {
      if (this.isFull) source.hold()
      else source.proceed()
    }
  }
}
