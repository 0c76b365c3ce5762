import type { Faults } from './faults.js'

/** An account of the archive. */
export interface Person {
  /** The id of the source. */
  readonly key: string
  readonly name: string
  /** Null: the archive has none. */
  readonly address: string | null
  readonly isBot: boolean
  /** False: deactivated at the source, or of another organization. */
  readonly isActive: boolean
  readonly isGuest: boolean
  /** An owner or administrator of the source. */
  readonly isAdministrator: boolean
}

/** A channel of the archive. */
export interface SourceChannel {
  readonly key: string
  readonly name: string
  readonly isPrivate: boolean
  readonly isArchived: boolean
}

/** What the check has to know of a message. */
export interface MessageHead {
  /** Null: the message is imported. Otherwise the reason why it is not. */
  readonly dropped: string | null
  readonly sent: Date
  readonly sender: Sender
  /** A reply in a thread. */
  readonly isReply: boolean
  readonly reactions: number
  readonly files: readonly SourceFile[]
}

export interface Sender {
  readonly key: string
  readonly name: string
  readonly isBot: boolean
}

/** Where the bytes of a file are: in the archive, at an address, at another service as a link, or nowhere, with the reason. */
export type SourceFile =
  | { readonly at: 'archive' | 'download' | 'link'; readonly bytes: number }
  | { readonly at: 'nowhere'; readonly why: string }

/** The lists of an archive, which come before its messages. */
export interface SourceLists {
  readonly people: readonly Person[]
  readonly channels: readonly SourceChannel[]
  /** Direct conversations. */
  readonly conversations: number
  readonly customEmoji: number
}

/**
 * An archive of another chat server. A source knows the format of one server and no table; a record that it cannot read is a fault, and never
 * ends the import.
 */
export interface Source {
  /** The name of the server, for people. */
  readonly of: string
  /** Once, before `messages`. */
  lists(faults: Faults): Promise<SourceLists>
  /** Every message of the archive; null: a record that is no message. */
  messages(faults: Faults): AsyncGenerator<MessageHead | null>
}

/** The archive cannot be imported at all: `message` is a sentence for the operator. */
export class UnusableArchive extends Error {}
