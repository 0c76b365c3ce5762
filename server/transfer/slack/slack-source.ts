import { posix } from 'node:path'
import type { Archive } from '../archive.js'
import type { Faults } from '../faults.js'
import { elementsOf } from '../json-list.js'
import { firstText, inside, type Loose, listOf, recordOf } from '../loose.js'
import type { MessageHead, Person, Sender, Source, SourceChannel, SourceLists } from '../source.js'
import { droppedFor } from './dropped.js'
import { authorInFile, filesOf } from './files.js'
import { botIdOf, personOf } from './people.js'

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
  private readonly people = new Map<string, Person>()
  private readonly apps = new Map<string, Person>()
  private readonly uploads: ReadonlySet<string>

  constructor(private readonly archive: Archive) {
    this.uploads = new Set(archive.names.flatMap(name => upload.exec(name)?.[1] ?? []))
  }

  async lists(faults: Faults): Promise<SourceLists> {
    for await (const { record, place } of this.records(peopleList, faults)) this.addPerson(record, place, faults)
    const channels: SourceChannel[] = []
    for (const [pattern, isPrivate] of [
      [publicList, false],
      [privateList, true],
    ] as const) {
      for await (const { record, place } of this.records(pattern, faults)) {
        const channel = channelOf(record, isPrivate)
        if (channel) channels.push(channel)
        else faults.add('channels without an id', place, 'it is left out')
      }
    }
    let conversations = 0
    for await (const _ of this.records(directList, faults)) conversations++
    return { people: [...this.people.values()], channels, conversations, customEmoji: await this.countEmoji(faults) }
  }

  async *messages(faults: Faults): AsyncGenerator<MessageHead | null> {
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
        const sent = timeOf(message)
        if (!sent)
          faults.add(
            'messages without a time',
            place,
            `time ${shown(message.ts)} is no number; kept after the one before`,
          )
        last = sent ?? last
        yield this.headOf(message, last)
      }
    }
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

  private headOf(message: Loose, sent: Date): MessageHead {
    const thread = firstText(message.thread_ts)
    return {
      dropped: droppedFor(message),
      sent,
      sender: this.senderOf(message),
      isReply: thread !== '' && thread !== firstText(message.ts),
      reactions: listOf(message.reactions).reduce<number>((sum, one) => sum + listOf(inside(one).users).length, 0),
      files: filesOf(message, this.uploads),
    }
  }

  private senderOf(message: Loose): Sender {
    const user = firstText(message.user, authorInFile(message))
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
  private async countEmoji(faults: Faults): Promise<number> {
    const pieces: Buffer[] = []
    for await (const piece of this.archive.read('emoji.json', faults)) pieces.push(piece)
    if (pieces.length === 0) return 0
    try {
      const answer = inside(JSON.parse(Buffer.concat(pieces).toString()))
      return Object.keys(inside(answer.emoji ?? answer)).length
    } catch {
      faults.add('entries of lists that are not readable', 'emoji.json', 'it is no JSON')
      return 0
    }
  }
}

function channelOf(channel: Loose, isPrivate: boolean): SourceChannel | undefined {
  const key = firstText(channel.id)
  if (key === '') return undefined
  return { key, name: firstText(channel.name, key), isPrivate, isArchived: channel.is_archived === true }
}

function timeOf({ ts }: Loose): Date | undefined {
  const text = typeof ts === 'number' ? String(ts) : firstText(ts)
  return stamp.test(text) ? new Date(Number(text) * 1000) : undefined
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'of nothing').slice(0, 60)

const startOfDay = (name: string): Date => {
  const time = new Date(`${posix.basename(name, '.json')}T00:00:00Z`)
  return Number.isNaN(time.getTime()) ? new Date(0) : time
}
