/** A database server that this program started. */
export interface EmbeddedServer {
  /** How clients reach it, with its password. */
  readonly url: string
  /** Its Unix socket, where this process can reach it: a round trip over it takes less CPU time than over TCP. */
  readonly socket?: string
  readonly pid: number
  /** Resolves when its process is gone, for whatever reason, with a few words that say how. */
  readonly exited: Promise<string>
  /** Stops it in good order and waits until its process is gone. */
  stop(): Promise<void>
  /** Ends it the hard way, as a crash would. */
  kill(): Promise<void>
}
