import type { Archive } from '../archive.js'
import { emojiNameOf } from '../emoji-name.js'
import type { Faults } from '../faults.js'
import { listWithin } from '../json-list.js'
import { firstText, inside, type Loose, listOf, recordOf } from '../loose.js'
import {
  noMarks,
  type Person,
  type Source,
  type SourceChannel,
  type SourceConversation,
  type SourceEmoji,
  type SourceLists,
  type SourceMessage,
  type SourceReaction,
} from '../source.js'
import { contentOf } from './content.js'
import { droppedFor } from './dropped.js'
import { fileAt, filesOf } from './files.js'
import { personOf } from './people.js'
import { type Place, placeOf } from './places.js'

// Names of the exporter end in the id of the channel.
const dataFile = /\[\d{1,20}\](?: \[part \d{1,6}\])?\.json$/
// Without end, as a file of one channel can be.
const mostBytes = 64 * 1024 ** 3
// A reply names what it answers by its id alone. An answer to an older message does not name its author.
const mostAuthors = 100_000

/** Files of DiscordChatExporter, one or more of each channel and thread; undefined: the archive is of another server. */
export function discordSource(archive: Archive): Source | undefined {
  const files = archive.names.filter(name => dataFile.test(name)).sort(byPart)
  return files.length === 0 ? undefined : new DiscordSource(archive, files)
}

/** The tenth part comes after the second one. */
const byPart = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

class DiscordSource implements Source {
  readonly of = 'Discord'
  readonly fileHosts = ['cdn.discordapp.com', 'media.discordapp.net']
  private readonly people = new Map<string, Person>()
  private readonly handles = new Map<string, string>()
  private readonly roles = new Map<string, string>()
  private readonly emoji = new Map<string, SourceEmoji>()
  private readonly places = new Map<string, Place & { readonly members: Set<string> }>()
  private readonly threads = new Map<string, string>()

  constructor(
    private readonly archive: Archive,
    private readonly files: readonly string[],
  ) {}

  /** There are no lists: who and what there is comes from the messages. */
  async lists(faults: Faults): Promise<SourceLists> {
    for await (const { place, message, file } of this.records(faults)) if (message) this.note(message, place, file)
    return {
      people: [...this.people.values()],
      groups: [],
      channels: this.channels(),
      conversations: this.conversations(),
      customEmoji: [...this.emoji.values()],
    }
  }

  async *messages(faults: Faults): AsyncGenerator<SourceMessage | null> {
    const authors = new Map<string, string>()
    for await (const { place, message, file, at } of this.records(faults)) {
      const id = firstText(message?.id)
      if (!message || id === '') {
        if (message) faults.add('records that are no messages', at, 'it has no id')
        yield null
        continue
      }
      const author = firstText(inside(message.author).id)
      if (authors.size >= mostAuthors) authors.delete(authors.keys().next().value as string)
      authors.set(id, author)
      yield this.messageOf(message, {
        place,
        file,
        answered: authors.get(firstText(inside(message.reference).messageId)),
      })
    }
  }

  file(entry: string): AsyncIterable<Buffer> {
    return this.archive.bytesOf(entry)
  }

  /** The messages of all files; without one: what is in its place is none. */
  private async *records(
    faults: Faults,
  ): AsyncGenerator<{ place: Place; message: Loose | undefined; file: string; at: string }> {
    for (const file of this.files) {
      let place: Place | undefined
      for await (const listed of listWithin(this.archive.read(file, faults, mostBytes), 'messages')) {
        if ('head' in listed) {
          place = placeOf(inside(inside(listed.head).channel))
          if (place) this.addPlace(place)
          else faults.add('files without a channel', file, 'it is left out')
          continue
        }
        if (!place) break
        const at = `${file} #${listed.number}`
        const message = listed.fault === undefined ? recordOf(listed.value) : undefined
        if (!message) faults.add('entries of lists that are not readable', at, listed.fault ?? 'it is no object')
        yield { place, message, file, at }
      }
    }
  }

  /** A thread belongs to the channel of its parent, which may have no file of its own. */
  private addPlace(place: Place): void {
    const known = this.places.get(place.key)
    if (place.thread !== '') this.threads.set(place.thread, place.threadName)
    if (!known || (place.thread === '' && known.thread !== '')) {
      this.places.set(place.key, { ...place, members: known?.members ?? new Set() })
    }
  }

  private note(message: Loose, { key }: Place, file: string): void {
    const members = this.places.get(key)?.members
    const see = (user: unknown) => {
      const person = personOf(inside(user), address => fileAt(this.archive, file, address))
      if (!person) return
      const known = this.people.get(person.key)
      // Reactions have no roles, and the last name that a person had is best.
      this.people.set(person.key, { ...person, picture: person.picture ?? known?.picture ?? null })
      this.handles.set(firstText(inside(user).name), person.key)
      for (const role of listOf(inside(user).roles).map(inside))
        this.roles.set(firstText(role.id), firstText(role.name))
      members?.add(person.key)
    }
    see(message.author)
    for (const mentioned of listOf(message.mentions)) see(mentioned)
    for (const { emoji, users } of listOf(message.reactions).map(inside)) {
      this.addEmoji(inside(emoji), file)
      for (const user of listOf(users)) see(user)
    }
    for (const emoji of listOf(message.inlineEmojis)) this.addEmoji(inside(emoji), file)
  }

  private addEmoji({ id, name, imageUrl }: Loose, file: string): void {
    const known = emojiNameOf(firstText(name))
    const picture = fileAt(this.archive, file, firstText(imageUrl))
    if (firstText(id) !== '' && known !== '' && picture && !this.emoji.has(known)) {
      this.emoji.set(known, { name: known, picture })
    }
  }

  private channels(): SourceChannel[] {
    return [...this.places.values()].flatMap(({ key, name, description, folder, isDirect, members }) =>
      isDirect
        ? []
        : {
            key,
            name,
            description,
            folder,
            // Who may read it is in no file: the operator has chosen which channels are in the archive.
            isPrivate: false,
            isHistoryHidden: false,
            isArchived: false,
            isDefault: false,
            created: null,
            creator: null,
            members: [...members],
            pinnedBy: [],
            mutedBy: [],
          },
    )
  }

  private conversations(): SourceConversation[] {
    return [...this.places.values()].flatMap(({ key, name, isDirect, members }) => {
      if (!isDirect) return []
      // A conversation of two is called like the other person, who may have written nothing.
      const other = this.handles.get(name)
      return { key, members: [...new Set([...members, ...(other === undefined ? [] : [other])])] }
    })
  }

  private messageOf(
    message: Loose,
    { place, file, answered }: { place: Place; file: string; answered: string | undefined },
  ): SourceMessage {
    const content = firstText(message.content)
    const referred = firstText(inside(message.reference).messageId)
    const { key, thread, threadName } = place
    return {
      key: firstText(message.id),
      dropped: droppedFor(message),
      sent: timeOf(message.timestamp) ?? timeOfId(firstText(message.id)),
      edited: timeOf(message.timestampEdited) ?? null,
      sender: this.people.get(firstText(inside(message.author).id)) ?? unknown,
      place: key,
      topic: null,
      thread: thread === '' ? null : thread,
      threadName,
      // The message with which a thread begins is in the channel.
      isReply: thread !== '',
      isBroadcast: false,
      reactions: listOf(message.reactions).flatMap(one => reactionsOf(inside(one))),
      files: filesOf(message, address => fileAt(this.archive, file, address)),
      marks: noMarks,
      edits: [],
      refersTo: referred === '' ? [] : [referred],
      size: content.length + sizeOf(message.embeds) + sizeOf(message.forwardedMessage),
      content: references =>
        contentOf(message, {
          answered,
          message: references.message,
          names: {
            person: references.person,
            channel: id => references.channel(id) ?? this.threadText(id),
            role: id => this.roles.get(id),
          },
        }),
    }
  }

  private threadText(id: string): string | undefined {
    const name = this.threads.get(id)
    return name === undefined ? undefined : `#${name}`
  }
}

const unknown = { key: 'unknown', name: 'Unknown', isBot: false } as const

const sizeOf = (value: unknown): number =>
  listOf(value).length === 0 && !recordOf(value) ? 0 : JSON.stringify(value).length

/** A standard emoji is written as its characters. */
function reactionsOf({ emoji, users }: Loose): SourceReaction[] {
  const { id, name } = inside(emoji)
  const shown = firstText(name)
  const code = firstText(id) === '' ? codeOf(shown) : null
  return listOf(users).flatMap(user => {
    const person = firstText(inside(user).id)
    return person === '' ? [] : { name: shown, code, person }
  })
}

/** Without skin tones, and without the mark that asks for a picture. */
const codeOf = (characters: string): string =>
  [...characters.replace(/[\u{1f3fb}-\u{1f3ff}\ufe0f]/gu, '')]
    .map(character => character.codePointAt(0)?.toString(16))
    .join('-')

function timeOf(value: unknown): Date | undefined {
  const time = new Date(firstText(value))
  return Number.isNaN(time.getTime()) ? undefined : time
}

// The first moment of Discord's ids, which hold the time.
const epoch = 1_420_070_400_000n

function timeOfId(id: string): Date {
  return new Date(/^\d{1,20}$/.test(id) ? Number((BigInt(id) >> 22n) + epoch) : 0)
}
