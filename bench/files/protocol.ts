import type { Account } from '../lib/load-protocol.js'

export type UploadKind = 'form' | 'tus'

/** Files that are sent at the same time. */
export interface Uploads {
  readonly do: 'upload'
  readonly port: number
  readonly kind: UploadKind
  readonly sender: Account
  /** Each at a connection of its own. */
  readonly together: number
  readonly bytes: number
}

/** A file that is read again and again. */
export interface Downloads {
  readonly do: 'download'
  readonly port: number
  readonly path: string
  readonly readers: readonly Account[]
  readonly inFlight: number
  readonly count: number
  /** What each answer must have. */
  readonly bytes: number
}

/** Pictures that are sent one after the other, each followed by a message that shows it. */
export interface Photographs {
  readonly do: 'photographs'
  readonly port: number
  readonly sender: Account
  readonly channelId: number
  readonly jpeg: Uint8Array
  readonly count: number
}

export type FileCommand = Uploads | Downloads | Photographs

export interface FileAnswer {
  readonly elapsedMs: number
  /** Addresses of the files that were sent. */
  readonly urls: readonly string[]
}
