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
  /** `administrator`: owners of the source, too. */
  readonly rank: 'administrator' | 'moderator' | 'member' | 'guest'
  /** IANA name; '' without one. */
  readonly timezone: string
  /** Null: it has none. */
  readonly picture: SourceBytes | null
  /** The server itself wrote in its name: the same account does here. Absent: it is an account like others. */
  readonly system?: 'notifications' | 'welcome' | 'mails'
}

/** A group of people of the archive. */
export interface SourceGroup {
  readonly key: string
  readonly name: string
  readonly description: string
  /** Keys of people, and of groups whose members belong to it. */
  readonly members: readonly string[]
  readonly subgroups: readonly string[]
}

/** A channel of the archive. */
export interface SourceChannel {
  readonly key: string
  readonly name: string
  /** Markdown. */
  readonly description: string
  /** The name of a group of channels to which it belongs; '' without one. */
  readonly folder: string
  readonly isPrivate: boolean
  /** Its subscribers see nothing that they have not received (`Marks.received`). */
  readonly isHistoryHidden: boolean
  readonly isArchived: boolean
  /** New people join it by themselves. */
  readonly isDefault: boolean
  /** Null: the archive does not say. */
  readonly created: Date | null
  readonly creator: string | null
  /** Keys of people. */
  readonly members: readonly string[]
  /** Those of them who have put it above the others. */
  readonly pinnedBy: readonly string[]
  readonly mutedBy: readonly string[]
}

/** A direct conversation of the archive. */
export interface SourceConversation {
  readonly key: string
  /** Keys of people. */
  readonly members: readonly string[]
}

/** A message of the archive. */
export interface SourceMessage {
  /** The same in each archive of the server, and of this message alone. */
  readonly key: string
  /** Null: the message is imported. Otherwise the reason why it is not. */
  readonly dropped: string | null
  readonly sent: Date
  readonly edited: Date | null
  readonly sender: Sender
  /** The key of its channel or conversation. */
  readonly place: string
  /** Its topic at the source; null: its thread becomes one. */
  readonly topic: string | null
  /** What the messages of its thread have in common; null: it belongs to none. The message with which a thread begins belongs to it. */
  readonly thread: string | null
  /** How the source calls its thread; '': by its first words. */
  readonly threadName: string
  /** A reply in a thread. */
  readonly isReply: boolean
  /** A reply that the channel shows, too. */
  readonly isBroadcast: boolean
  readonly reactions: readonly SourceReaction[]
  readonly files: readonly SourceFile[]
  readonly marks: Marks
  /** What it was before, the oldest first. */
  readonly edits: readonly SourceEdit[]
  /** Keys of messages to which its text leads. */
  readonly refersTo: readonly string[]
  /** Characters of its text, more or less. */
  readonly size: number
  /** Its Markdown, without the files. */
  content(names: References): string
}

/** What a message is to single people: their keys. */
export interface Marks {
  /** All others have read it. */
  readonly unread: readonly string[]
  readonly starred: readonly string[]
  readonly collapsed: readonly string[]
  /** It has a word that they watch for. */
  readonly alerted: readonly string[]
  /** Those who were mentioned by name or by a group, and those of a topic; null: its text says. */
  readonly mentioned: readonly string[] | null
  readonly topicMentioned: readonly string[]
  /** Its channel as a whole was mentioned. */
  readonly mentionsChannel: boolean
  /** Those who have received it; null: all who may read it. */
  readonly received: readonly string[] | null
}

/** Of a source that knows nothing of them. */
export const noMarks: Marks = {
  unread: [],
  starred: [],
  collapsed: [],
  alerted: [],
  mentioned: null,
  topicMentioned: [],
  mentionsChannel: false,
  received: null,
}

/** A change of a message. */
export interface SourceEdit {
  /** The key of a person; null: the archive does not say. */
  readonly editor: string | null
  readonly at: Date
  /** The Markdown before; null: only its place has changed. */
  readonly content: ((names: References) => string) | null
  /** The topics before and after; null: it has stayed. */
  readonly topic: readonly [string, string] | null
  /** The keys of the channels before and after. */
  readonly channel: readonly [string, string] | null
}

/** An emoji and a person who reacted with it. */
export interface SourceReaction {
  /** The name at the source. */
  readonly name: string
  /** The Unicode emoji, as the API spells its code; null: a custom one, the one of the server itself, or an unknown one. */
  readonly code: string | null
  readonly person: string
}

/** How a message refers to what the archive names by keys: each as Markdown. Undefined: the archive has none. */
export interface References {
  person(key: string): string | undefined
  /** `topic`: one of its topics. */
  channel(key: string, topic?: string): string | undefined
  group(key: string): string | undefined
  /** The id that it has here. */
  id(kind: 'person' | 'channel' | 'message', key: string): number | undefined
  /** What stands for a file in the text until it is there. */
  file(file: SourceFile): string
  /** The address of a message in `refersTo`. */
  message(key: string): string | undefined
  /** A mention of all subscribers; absent: a silent one. */
  readonly all?: string
}

/** Of an archive of which nothing is known. */
export const noReferences: References = {
  person: () => undefined,
  channel: () => undefined,
  group: () => undefined,
  id: () => undefined,
  file: ({ name, label }) => label ?? name,
  message: () => undefined,
}

export interface Sender {
  readonly key: string
  readonly name: string
  readonly isBot: boolean
}

/** Where the bytes of a file are: in the archive, at an address, at another service as a link, or nowhere, with the reason. */
export type SourceFile = {
  readonly name: string
  /** Its link stands in the text, with this label; absent: it comes behind the text. */
  readonly label?: string
} & (SourceBytes | { readonly at: 'link'; readonly address: string } | { readonly at: 'nowhere'; readonly why: string })

/** `entry`: the name of a file in the archive; `bytes`: 0 if the source does not say. */
export type SourceBytes =
  | { readonly at: 'archive'; readonly bytes: number; readonly entry: string }
  | { readonly at: 'download'; readonly bytes: number; readonly address: string }

/** A custom emoji of the archive. */
export interface SourceEmoji {
  /** A name that an emoji can have here (`emojiNameOf`). */
  readonly name: string
  readonly picture: SourceBytes
}

/** The lists of an archive, which come before its messages. */
export interface SourceLists {
  readonly people: readonly Person[]
  readonly groups: readonly SourceGroup[]
  readonly channels: readonly SourceChannel[]
  readonly conversations: readonly SourceConversation[]
  readonly customEmoji: readonly SourceEmoji[]
}

/** What a person has chosen for a topic. */
export interface SourceTopicPolicy {
  readonly person: string
  readonly channel: string
  readonly topic: string
  readonly policy: 'muted' | 'unmuted' | 'followed'
}

/**
 * An archive of another chat server. A source knows the format of one server and no table; a record that it cannot read is a fault, and never
 * ends the import.
 */
export interface Source {
  /** The name of the server, for people. */
  readonly of: string
  /** Hosts of its files: `files.example`, or `*.files.example` for all below. */
  readonly fileHosts: readonly string[]
  /** Once, before `messages`. */
  lists(faults: Faults): Promise<SourceLists>
  /** Every message of the archive, always in the same order; null: a record that is no message. */
  messages(faults: Faults): AsyncGenerator<SourceMessage | null>
  /** Absent: the archive knows nothing of topics. */
  topicPolicies?(): AsyncGenerator<SourceTopicPolicy>
  /** The bytes of a file in the archive. @throws {UnreadableEntry} while they are read */
  file(entry: string): AsyncIterable<Buffer>
}

/** A file of the archive is missing, damaged, or packed in a way that no chat needs: `message` completes "report.pdf: ". */
export class UnreadableEntry extends Error {}

/** The archive cannot be imported at all: `message` is a sentence for the operator. */
export class UnusableArchive extends Error {}

/** Another import runs on the organization: this one can run later. */
export class OtherImportRuns extends UnusableArchive {
  constructor() {
    super('Another import runs on this organization.')
  }
}
