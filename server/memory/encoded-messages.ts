import { LRUCache } from 'lru-cache'
import type { ChannelRow } from '../store/channels/channels.js'
import type { FlaggedMessage } from '../store/pages/page-states.js'
import type { UserRow } from '../store/users/users.js'
import type { Directory } from './directory.js'
import type { LinkifierList } from './linkifier-list.js'

// 32 MB: some 20,000 messages of a kilobyte.
const maxBytes = 32 * 1024 * 1024
// Approximate size of an entry without its text.
const bytesOfEntry = 500

/** A message encoded for an answer, without what depends on its reader. */
export interface EncodedMessage {
  readonly message: FlaggedMessage
  /** JSON of the object without its flags and its closing brace. */
  readonly bytes: Uint8Array
}

/** What an encoded message was computed from, beside the message itself. */
interface Sources {
  readonly version: string
  readonly settings: string
  readonly linkifiers: LinkifierList
  readonly channel: ChannelRow | undefined
  /** The sender, and in a conversation the participants. */
  readonly users: readonly (UserRow | undefined)[]
}

/**
 * Messages as answers contain them, the same bytes for all accounts that know all users, and others for spectators.
 *
 * Source: `messages`, and the rows of the directory from which the names, pictures and links of a message were made.
 * Version: that of the message (`PageState.versions`), which the statement of each page returns, and the rows themselves: each change of a row
 * of the directory makes a new object.
 * Bound: 32 MB.
 * Dropped: by a newer version, and the least recently used.
 */
export class EncodedMessages {
  private readonly entries: LRUCache<string, EncodedMessage & Sources>

  constructor(
    private readonly directory: Directory,
    maxSize = maxBytes,
  ) {
    this.entries = new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => bytes.length + bytesOfEntry })
  }

  /** `form`: names the form of the answer. `settings`: the settings of the organization that the form depends on. */
  find(id: number, form: string, version: string, settings: string): EncodedMessage | undefined {
    const entry = this.entries.get(keyOf(id, form))
    return entry && entry.version === version && entry.settings === settings && this.isCurrent(entry)
      ? entry
      : undefined
  }

  keep(
    message: FlaggedMessage,
    json: string,
    { form, version, settings }: { readonly form: string; readonly version: string; readonly settings: string },
  ): EncodedMessage {
    const { linkifiers, channels, users } = this.directory
    const { id, sender_id, channel_id, user_ids, read_by_sender, read_by_all, wildcard_mentions } = message
    const entry = {
      // A copy, because the whole row holds the texts.
      message: { id, sender_id, channel_id, user_ids, read_by_sender, read_by_all, wildcard_mentions },
      bytes: ownBytes(json),
      version,
      settings,
      linkifiers,
      channel: channel_id === null ? undefined : channels.get(channel_id),
      users: peopleOf(message).map(user => users.get(user)),
    }
    this.entries.set(keyOf(id, form), entry)
    return entry
  }

  private isCurrent({ message, linkifiers, channel, users }: EncodedMessage & Sources): boolean {
    const { directory } = this
    if (linkifiers !== directory.linkifiers) return false
    if (message.channel_id !== null && directory.channels.get(message.channel_id) !== channel) return false
    return peopleOf(message).every((id, i) => directory.users.get(id) === users[i])
  }
}

const keyOf = (id: number, form: string): string => `${id}${form}`

const peopleOf = ({ sender_id, user_ids }: FlaggedMessage): readonly number[] => user_ids ?? [sender_id]

/** Bytes of their own: a slice of a shared buffer would keep the whole buffer in memory. */
function ownBytes(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
