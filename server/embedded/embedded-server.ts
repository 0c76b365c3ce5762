/** A running database server that this process has started. */
export interface EmbeddedServer {
  /** Its address, with the password. */
  readonly url: string
  /** Its Unix socket, if this process can reach it: a round trip takes less CPU time than over TCP. */
  readonly socket?: string
  readonly pid: number
  /** Resolves when its process has ended for any reason, with a few words that describe how. */
  readonly exited: Promise<string>
  /** Stops it in an orderly way and waits for the end of its process. */
  stop(): Promise<void>
  /** Ends its process with SIGKILL, like a crash. */
  kill(): Promise<void>
}
