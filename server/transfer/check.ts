import { limits } from '../../shared/limits.js'
import type { Directory } from '../memory/directory.js'
import { cleanName, isNameText } from '../text/clean-name.js'
import { type FaultKind, Faults } from './faults.js'
import { openArchive } from './open-archive.js'
import { sourceOf } from './open-source.js'
import type { Person, Sender, Source, SourceChannel, SourceLists, SourceMessage } from './source.js'

/** What an import of the archive would do, and what is wrong with the archive. */
export interface Checked {
  readonly source: string
  readonly people: {
    readonly people: number
    readonly bots: number
    readonly deactivated: number
    readonly guests: number
    /** Those with an account here, by their address. */
    readonly here: number
    /** Names of those who could not sign in. */
    readonly without_address: readonly string[]
    /** Senders that no list of the archive contains. */
    readonly unlisted: number
  }
  readonly channels: {
    readonly public: number
    readonly private: number
    readonly archived: number
    /** Names that cannot stay as they are, with the reason. */
    readonly renamed: readonly string[]
  }
  readonly conversations: number
  readonly custom_emoji: number
  readonly messages: {
    readonly source: number
    readonly kept: number
    readonly dropped: Readonly<Record<string, number>>
    readonly faulty: number
    readonly replies: number
    readonly first: Date | null
    readonly last: Date | null
  }
  readonly reactions: number
  readonly files: {
    readonly in_archive: number
    readonly to_download: number
    readonly links: number
    readonly lost: Readonly<Record<string, number>>
    readonly bytes: number
  }
  readonly faults: readonly FaultKind[]
}

/** What the archive is compared with. */
type Here = Pick<Directory, 'usersByEmail' | 'channelLike'>

// Of names in the answer: the numbers beside are of all.
const mostNamed = 1000
// Senders that no list contains; further ones are not told apart.
const mostUnlisted = 100_000

/** Reads the whole archive once, compares it with the organization, and changes nothing. @throws {UnusableArchive} */
export function checkArchive(file: string, directory: Here): Promise<Checked> {
  const faults = new Faults()
  return withSource(file, faults, async source =>
    checkSource(source, { lists: await source.lists(faults), directory, faults, visit: async () => {} }),
  )
}

/** Opens an archive for the work. @throws {UnusableArchive} */
export async function withSource<T>(file: string, faults: Faults, work: (source: Source) => Promise<T>): Promise<T> {
  const archive = await openArchive(file, faults)
  try {
    return await work(sourceOf(archive))
  } finally {
    archive.close()
  }
}

interface Checking {
  readonly lists: SourceLists
  readonly directory: Here
  readonly faults: Faults
  /** Gets every message, too. */
  readonly visit: (message: SourceMessage | null) => Promise<void>
}

/** The same for an archive that is open. */
export async function checkSource(source: Source, { lists, directory, faults, visit }: Checking): Promise<Checked> {
  const tally = new Tally(lists)
  for await (const message of source.messages(faults)) {
    tally.add(message)
    await visit(message)
  }
  return {
    source: source.of,
    people: peopleOf(lists, directory, tally.unlisted.size),
    channels: channelsOf(lists.channels, directory),
    conversations: lists.conversations.length,
    custom_emoji: lists.customEmoji.length,
    ...tally.result(),
    faults: faults.list(),
  }
}

function peopleOf({ people }: SourceLists, directory: Here, unlisted: number): Checked['people'] {
  const humans = people.filter(one => !one.isBot)
  const count = (is: (one: Person) => boolean) => humans.filter(is).length
  const isHere = ({ address }: Person) => address !== null && directory.usersByEmail.has(address.toLowerCase())
  return {
    people: humans.length,
    bots: people.length - humans.length,
    deactivated: count(one => !one.isActive),
    guests: count(one => one.rank === 'guest'),
    here: count(isHere),
    without_address: humans.flatMap(one => (one.isActive && one.address === null ? one.name : [])).slice(0, mostNamed),
    unlisted,
  }
}

function channelsOf(channels: readonly SourceChannel[], directory: Here): Checked['channels'] {
  const taken = new Set<string>()
  const renamed = channels.flatMap(({ name }) => {
    const why = obstacle(name, taken, directory)
    taken.add(cleanName(name).toLowerCase())
    return why === null ? [] : `${name}: ${why}`
  })
  return {
    public: channels.filter(one => !one.isPrivate).length,
    private: channels.filter(one => one.isPrivate).length,
    archived: channels.filter(one => one.isArchived).length,
    renamed: renamed.slice(0, mostNamed),
  }
}

function obstacle(name: string, taken: ReadonlySet<string>, directory: Here): string | null {
  const clean = cleanName(name)
  if (clean === '' || !isNameText(clean)) return 'it has no characters of a name'
  if ([...clean].length > limits.max_stream_name_length) return 'it is too long'
  if (taken.has(clean.toLowerCase())) return 'the archive has another channel of this name'
  return directory.channelLike(clean, null) ? 'a channel here has this name, or looks like it' : null
}

type Counts = Record<string, number>
const addTo = (counts: Counts, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1
}

/** Counts messages; the sum of those that are kept, dropped and faulty is the number of all. */
class Tally {
  readonly unlisted = new Set<string>()
  private readonly listed: ReadonlySet<string>
  private readonly messages = { source: 0, kept: 0, dropped: {} as Counts, faulty: 0, replies: 0 }
  private readonly files = { in_archive: 0, to_download: 0, links: 0, lost: {} as Counts, bytes: 0 }
  private reactions = 0
  private first: Date | null = null
  private last: Date | null = null

  constructor({ people }: SourceLists) {
    this.listed = new Set(people.map(person => person.key))
  }

  add(message: SourceMessage | null): void {
    this.messages.source++
    if (!message) this.messages.faulty++
    else if (message.dropped !== null) addTo(this.messages.dropped, message.dropped)
    else this.addKept(message)
  }

  result(): Pick<Checked, 'messages' | 'reactions' | 'files'> {
    const { first, last } = this
    return { messages: { ...this.messages, first, last }, reactions: this.reactions, files: this.files }
  }

  private addKept({ sent, sender, isReply, reactions, files }: SourceMessage): void {
    this.messages.kept++
    if (isReply) this.messages.replies++
    if (this.first === null || sent < this.first) this.first = sent
    if (this.last === null || sent > this.last) this.last = sent
    this.reactions += reactions.length
    this.addSender(sender)
    for (const file of files) this.addFile(file)
  }

  private addSender({ key }: Sender): void {
    if (!this.listed.has(key) && this.unlisted.size < mostUnlisted) this.unlisted.add(key)
  }

  private addFile(file: SourceMessage['files'][number]): void {
    if (file.at === 'nowhere') {
      addTo(this.files.lost, file.why)
      return
    }
    if (file.at === 'archive') this.files.in_archive++
    else if (file.at === 'download') this.files.to_download++
    else this.files.links++
    if (file.at !== 'link') this.files.bytes += file.bytes
  }
}
