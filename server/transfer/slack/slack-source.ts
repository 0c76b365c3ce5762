import { posix } from 'node:path'
import type { Archive } from '../archive.js'
import type { Faults } from '../faults.js'
import { elementsOf } from '../json-list.js'
import { firstText, inside, type Loose, listOf, recordOf, textOf } from '../loose.js'
import {
  noMarks,
  type Person,
  type Sender,
  type Source,
  type SourceChannel,
  type SourceConversation,
  type SourceLists,
  type SourceMessage,
  type SourceReaction,
} from '../source.js'
import { aliasesIn, contentOf, descriptionIn, emojiIn, standardName } from './content.js'
import { droppedFor } from './dropped.js'
import { codeOfEmoji } from './emoji.js'
import { authorInFile, filesOf, type Uploads } from './files.js'
import { botIdOf, personOf } from './people.js'
import { messagesIn } from './permalinks.js'

// A Grid has the lists of each workspace below `teams/`, and its people beside.
const list = (names: string) => new RegExp(String.raw`^(?:teams/[^/]+/)?(?:${names})\.json$`)
const peopleList = list('users|org_users')
const publicList = list('channels')
const privateList = list('groups')
const directList = list('dms|mpims')
const dayFile = /^(?:teams\/[^/]+\/)?[^/]+\/\d{4}-\d{2}-\d{2}\.json$/
const upload = /(?:^|\/)__uploads\/([^/]+)\//

// Seconds with six digits behind the point; before the year 5000.
const stamp = /^\d{1,11}(?:\.\d{1,9})?$/

const isSlack = (archive: Archive): boolean => archive.names.some(name => peopleList.test(name))

/** The archive of a Slack workspace or Grid; undefined: of another server. */
export function slackSource(archive: Archive): Source | undefined {
  return isSlack(archive) ? new SlackSource(archive) : undefined
}

class SlackSource implements Source {
  readonly of = 'Slack'
  readonly fileHosts = ['files.slack.com', '*.slack-edge.com', 'secure.gravatar.com']
  private readonly people = new Map<string, Person>()
  private readonly apps = new Map<string, Person>()
  private readonly uploads: Uploads
  /** Keys of channels and conversations by their folders, which are named by a name or an id. */
  private readonly folders = new Map<string, string>()
  private readonly channels = new Map<string, SourceChannel>()
  private readonly conversations = new Map<string, SourceConversation>()
  private aliases: ReadonlyMap<string, string> = new Map()

  constructor(private readonly archive: Archive) {
    this.uploads = new Map(
      archive.names.flatMap((entry): [string, { entry: string; bytes: number }][] => {
        const id = upload.exec(entry)?.[1]
        return id === undefined ? [] : [[id, { entry, bytes: archive.sizeOf(entry) }]]
      }),
    )
  }

  async lists(faults: Faults): Promise<SourceLists> {
    for await (const { record, place } of this.records(peopleList, faults)) this.addPerson(record, place, faults)
    for (const [pattern, isPrivate] of [
      [publicList, false],
      [privateList, true],
    ] as const) {
      for await (const { record, place } of this.records(pattern, faults)) {
        this.addPlace(channelOf(record, isPrivate), record, place, faults)
      }
    }
    for await (const { record, place } of this.records(directList, faults)) {
      this.addPlace(conversationOf(record), record, place, faults)
    }
    const emoji = await this.customEmoji(faults)
    this.aliases = aliasesIn(emoji)
    return {
      people: [...this.people.values()],
      groups: [],
      channels: [...this.channels.values()],
      conversations: [...this.conversations.values()],
      customEmoji: emojiIn(emoji, this.aliases),
    }
  }

  async *messages(faults: Faults): AsyncGenerator<SourceMessage | null> {
    for (const name of this.archive.names.filter(name => dayFile.test(name)).sort()) {
      let last = startOfDay(name)
      for await (const listed of elementsOf(this.archive.read(name, faults))) {
        const place = `${name} #${listed.number}`
        const message = listed.fault === undefined ? recordOf(listed.value) : undefined
        if (!message) {
          faults.add('records that are no messages', place, listed.fault ?? 'it is no object')
          yield null
          continue
        }
        const sent = timeOf(message.ts)
        if (!sent)
          faults.add(
            'messages without a time',
            place,
            `time ${shown(message.ts)} is no number; kept after the one before`,
          )
        last = sent ?? last
        yield this.messageOf(message, {
          folder: posix.dirname(name),
          sent: last,
          key: sent ? String(message.ts) : place,
        })
      }
    }
  }

  file(entry: string): AsyncIterable<Buffer> {
    return this.archive.bytesOf(entry)
  }

  private addPerson(user: Loose, place: string, faults: Faults): void {
    const person = personOf(user)
    if (!person) {
      faults.add('people without an id', place, 'the entry is left out')
      return
    }
    if (this.people.has(person.key))
      faults.add('people who are listed twice', place, `${person.key}: the last entry counts`)
    this.people.set(person.key, person)
    const app = botIdOf(user)
    if (app !== '') this.apps.set(app, person)
  }

  /** A Grid lists a channel of several workspaces in each of them. */
  private addPlace(place: ListedPlace, record: Loose, at: string, faults: Faults): void {
    if (!place) {
      faults.add('channels without an id', at, 'it is left out')
      return
    }
    if ('conversation' in place) this.conversations.set(place.conversation.key, place.conversation)
    else this.channels.set(place.channel.key, place.channel)
    const { key } = 'conversation' in place ? place.conversation : place.channel
    const folder = posix.dirname(at)
    for (const name of [key, firstText(record.name, key)]) this.folders.set(posix.join(folder, name), key)
  }

  private messageOf(message: Loose, { folder, sent, key }: { folder: string; sent: Date; key: string }): SourceMessage {
    const place = this.folders.get(folder) ?? this.folders.get(posix.basename(folder))
    const [thread, ts] = [firstText(message.thread_ts), firstText(message.ts)]
    return {
      key: `${place} ${key}`,
      dropped: droppedFor(message) ?? (place === undefined ? 'in a folder that no list names' : null),
      sent,
      edited: timeOf(inside(message.edited).ts) ?? null,
      sender: this.senderOf(message),
      place: place ?? '',
      topic: null,
      thread: thread === '' ? null : thread,
      threadName: '',
      isReply: thread !== '' && thread !== ts,
      isBroadcast: firstText(message.subtype) === 'thread_broadcast',
      reactions: this.reactionsOf(message),
      files: filesOf(message, this.uploads),
      // What a person has read or saved is in no archive of a workspace.
      marks: noMarks,
      edits: [],
      refersTo: messagesIn(message),
      // Blocks say again what the text says.
      size: Math.max(textOf(message.text).length, sizeOf(message.blocks)) + sizeOf(message.attachments),
      content: references => contentOf(message, references, this.aliases),
    }
  }

  private reactionsOf(message: Loose): SourceReaction[] {
    return listOf(message.reactions).flatMap(one => {
      const { name, users } = inside(one)
      const standard = standardName(firstText(name), this.aliases)
      const code = codeOfEmoji(standard) ?? null
      return listOf(users).flatMap(user => {
        const person = firstText(user)
        return person === '' ? [] : { name: standard, code, person }
      })
    })
  }

  private senderOf(message: Loose): Sender {
    // A huddle is in the name of Slack's own bot.
    const user = firstText(inside(message.room).created_by, message.user, authorInFile(message))
    const app = firstText(message.bot_id)
    const known = this.people.get(user) ?? this.apps.get(app)
    if (known) return known
    const profile = inside(message.user_profile)
    const name = firstText(profile.real_name, profile.display_name, message.username)
    if (user !== '') return { key: user, name: firstText(name, `Deleted user ${user}`), isBot: false }
    return { key: firstText(app, `name:${name}`), name: firstText(name, app, 'Unknown'), isBot: true }
  }

  /** The elements of the lists whose names match; what is no object is a fault. */
  private async *records(names: RegExp, faults: Faults): AsyncGenerator<{ record: Loose; place: string }> {
    for (const name of this.archive.names.filter(one => names.test(one))) {
      for await (const listed of elementsOf(this.archive.read(name, faults))) {
        const place = `${name} #${listed.number}`
        const record = listed.fault === undefined ? recordOf(listed.value) : undefined
        if (record) yield { record, place }
        else faults.add('entries of lists that are not readable', place, listed.fault ?? 'it is no object')
      }
    }
  }

  /** `emoji.json` is the answer of the operation `emoji.list`, which an export does not contain by itself. */
  private async customEmoji(faults: Faults): Promise<Loose> {
    const pieces: Buffer[] = []
    for await (const piece of this.archive.read('emoji.json', faults)) pieces.push(piece)
    if (pieces.length === 0) return {}
    try {
      const answer = inside(JSON.parse(Buffer.concat(pieces).toString()))
      return inside(answer.emoji ?? answer)
    } catch {
      faults.add('entries of lists that are not readable', 'emoji.json', 'it is no JSON')
      return {}
    }
  }
}

type ListedPlace = { readonly channel: SourceChannel } | { readonly conversation: SourceConversation } | undefined

function channelOf(record: Loose, isPrivate: boolean): ListedPlace {
  const key = firstText(record.id)
  if (key === '') return undefined
  const channel: SourceChannel = {
    key,
    name: firstText(record.name, key),
    description: descriptionOf(record),
    folder: '',
    isPrivate,
    isHistoryHidden: false,
    isArchived: record.is_archived === true,
    isDefault: record.is_general === true,
    created: timeOf(record.created) ?? null,
    creator: firstText(record.creator) || null,
    members: membersOf(record),
    pinnedBy: [],
    mutedBy: [],
  }
  return { channel }
}

function conversationOf(record: Loose): ListedPlace {
  const key = firstText(record.id)
  return key === '' ? undefined : { conversation: { key, members: membersOf(record) } }
}

const membersOf = ({ members }: Loose): string[] =>
  [...new Set(listOf(members).map(one => firstText(one)))].filter(Boolean)

const descriptionOf = ({ purpose, topic }: Loose): string =>
  descriptionIn(firstText(inside(purpose).value, inside(topic).value))

function timeOf(time: unknown): Date | undefined {
  const text = typeof time === 'number' ? String(time) : firstText(time)
  return stamp.test(text) ? new Date(Number(text) * 1000) : undefined
}

const sizeOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length)

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'of nothing').slice(0, 60)

const startOfDay = (name: string): Date => {
  const time = new Date(`${posix.basename(name, '.json')}T00:00:00Z`)
  return Number.isNaN(time.getTime()) ? new Date(0) : time
}
