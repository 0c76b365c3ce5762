import { limits } from '../../../shared/limits.js'
import type { Ctx } from '../../ctx.js'
import type { Sql, Tx } from '../../store/driver/db.js'
import {
  earlierObjects,
  type ImportObject,
  insertObjects,
  reserveChannelIds,
} from '../../store/imports/import-objects.js'
import {
  addToOrder,
  clearOrder,
  dropKnown,
  extentOfOrder,
  namedThreads,
  type OrderedMessage,
  sizeOfOrder,
  storeOrder,
  storeThreads,
} from '../../store/imports/import-order.js'
import { notifyOfNone } from '../../store/imports/imported-messages.js'
import { freeIds, insertImport } from '../../store/imports/imports.js'
import { checkSource } from '../check.js'
import type { Faults } from '../faults.js'
import {
  noReferences,
  type References,
  type Sender,
  type Source,
  type SourceLists,
  type SourceMessage,
  UnusableArchive,
} from '../source.js'
import { ChannelNames } from './channel-names.js'
import { isPerson } from './people.js'
import { TopicNames, titleOf } from './titles.js'

export interface ImportOptions {
  /** Also messages that are older than those of an earlier import. */
  readonly outOfOrder: boolean
  /** Hosts that may be asked for files, beside those of the source. */
  readonly fileHosts?: readonly string[]
  /** What people chose before: it counts when the import begins, and an import that goes on keeps it. */
  readonly choices?: Choices | undefined
}

/** By keys of the archive. */
export interface Choices {
  /** Ids of the accounts here that people are. */
  readonly people: ReadonlyMap<string, number>
  /** Names that channels get. */
  readonly channelNames: ReadonlyMap<string, string>
  /** Channels that are not imported. */
  readonly leftOut: ReadonlySet<string>
}

const noChoices = (): Choices => ({ people: new Map(), channelNames: new Map(), leftOut: new Set() })
const isLeftOut = 'in channels that are left out'

// Rows per statement.
const together = 5000
// Each becomes an account.
const mostUnlisted = 100_000
// Free ids above the first import, for later archives of the same server: so many at least, and a tenth of its messages.
const leastRoom = 65_536

/**
 * Reads the whole archive once, and stores the order of its messages with their ids, the names of their topics, and what has to be made: in
 * one transaction after the reading, so an import that is interrupted here has changed nothing. Returns the id of the import.
 * @throws {UnusableArchive}
 */
export async function prepareImport(
  ctx: Ctx,
  { source, digest, faults, options }: { source: Source; digest: string; faults: Faults; options: ImportOptions },
): Promise<number> {
  const choices = options.choices ?? noChoices()
  const chosen = withoutChannels(source, choices.leftOut)
  const lists = await chosen.lists(faults)
  await clearOrder(ctx.sql)
  const order = new Order(ctx.sql, lists)
  const checked = await checkSource(chosen, {
    lists,
    directory: ctx.directory,
    faults,
    visit: message => order.add(message),
  })
  await order.end()
  return (await ctx.sql.begin(async tx => {
    if ((await sizeOfOrder(tx)) !== order.size)
      throw new Error('the database has forgotten what was read of the archive')
    const { twice, known } = await dropKnown(tx, source.of)
    const { ids, older } = await extentOfOrder(tx)
    if (older > 0 && !options.outOfOrder) throw overlapping(older)
    const firstId = firstIdOf(await freeIds(tx), ids)
    const lastId = firstId + Math.max(ids, 1) - 1
    await notifyOfNone(tx, lastId)
    const row = {
      source: source.of,
      digest,
      first_id: firstId,
      last_id: lastId,
      file_hosts: [...source.fileHosts, ...(options.fileHosts ?? [])],
      checked: { ...checked, twice, known },
    }
    const importId = await insertImport(tx, row)
    await storeOrder(tx, importId, firstId)
    await nameThreads(tx, importId)
    await insertObjects(tx, importId, await objectsOf(tx, ctx, { source, lists, unlisted: order.unlisted, choices }))
    await clearOrder(tx)
    return importId
  })) as number
}

/** The source as if the archive did not have these channels; their messages are dropped. Later steps skip what has no id here. */
function withoutChannels(source: Source, leftOut: ReadonlySet<string>): Source {
  if (leftOut.size === 0) return source
  return {
    of: source.of,
    fileHosts: source.fileHosts,
    file: entry => source.file(entry),
    async lists(faults) {
      const lists = await source.lists(faults)
      return { ...lists, channels: lists.channels.filter(({ key }) => !leftOut.has(key)) }
    },
    async *messages(faults) {
      for await (const message of source.messages(faults)) {
        yield message?.dropped === null && leftOut.has(message.place) ? { ...message, dropped: isLeftOut } : message
      }
    },
  }
}

const overlapping = (older: number) =>
  new UnusableArchive(
    `${older} messages of the archive are older than those of an earlier import: --out-of-order puts them behind these all the same.`,
  )

/** History goes directly below the first message here, with room for a later archive; a later archive goes above the earlier one. */
function firstIdOf({ after, before }: { after: number; before: number }, ids: number): number {
  const room = after === 0 ? Math.max(leastRoom, Math.ceil(ids / 10)) : 0
  const first = after === 0 ? before - room - ids : after + 1
  if (first > after && first + ids < before) return first
  throw new UnusableArchive(
    after === 0
      ? 'This organization has messages with ids from 1 on. Older messages cannot be put before them: import into a new organization.'
      : `Between the earlier import and the first message here is no room for ${ids} messages.`,
  )
}

/** Collects what the order of the messages rests on, and the senders that no list has. */
class Order {
  readonly unlisted = new Map<string, { readonly name: string; readonly isBot: boolean }>()
  private readonly listed: ReadonlySet<string>
  private readonly conversations: ReadonlySet<string>
  private readonly names: References
  /** Messages. */
  size = 0
  private number = 0
  private batch: OrderedMessage[] = []

  constructor(
    private readonly sql: Sql,
    lists: SourceLists,
  ) {
    this.listed = new Set(lists.people.map(one => one.key))
    this.conversations = new Set(lists.conversations.map(one => one.key))
    this.names = plainNames(lists)
  }

  async add(message: SourceMessage | null): Promise<void> {
    this.number++
    if (!message || message.dropped !== null) return
    const { key, sent, sender, place, isReply, isBroadcast } = message
    if (!this.listed.has(sender.key)) this.addSender(sender)
    const thread = this.conversations.has(place) ? null : message.thread
    const title = thread === null ? '' : titleOf(message, this.names)
    const ids = partsOf(message) + (thread !== null && isBroadcast ? 1 : 0)
    this.size++
    this.batch.push({ number: this.number, key, sent, ids, place, thread, isReply, title })
    if (this.batch.length >= together) await this.end()
  }

  private addSender(sender: Sender): void {
    this.unlisted.set(sender.key, sender)
    if (this.unlisted.size > mostUnlisted) {
      throw new UnusableArchive(`The archive has more than ${mostUnlisted} senders that its lists do not name.`)
    }
  }

  async end(): Promise<void> {
    if (this.batch.length > 0) await addToOrder(this.sql, this.batch)
    this.batch = []
  }
}

/** As text, because a topic has no mentions. */
function plainNames({ people, channels }: SourceLists): References {
  const persons = new Map(people.map(one => [one.key, `@${one.name}`]))
  const places = new Map(channels.map(one => [one.key, `#${one.name}`]))
  return {
    ...noReferences,
    person: key => persons.get(key),
    channel: (key, topic) => (topic === undefined ? places.get(key) : `${places.get(key) ?? ''} > ${topic}`),
  }
}

// A mention is longer here than the key of an account, and a link has a label.
const growth = 3
// Of the address of a file here.
const addressCharacters = 100

/** How many messages the text can become at most. */
function partsOf({ size, files }: SourceMessage): number {
  const links = files.reduce((sum, { name }) => sum + 2 * name.length + addressCharacters, 0)
  return Math.max(1, Math.ceil((size * growth + links) / limits.max_message_length))
}

async function nameThreads(tx: Tx, importId: number): Promise<void> {
  const names = new TopicNames()
  for await (const threads of namedThreads(tx)) {
    await storeThreads(
      tx,
      importId,
      threads.map(({ place, thread, title, sent, replies }) => ({
        place,
        thread,
        replies,
        topic: names.name({ place, title, sent }),
      })),
    )
  }
}

async function objectsOf(
  tx: Tx,
  { directory }: Ctx,
  {
    source,
    lists,
    unlisted,
    choices,
  }: { source: Source; lists: SourceLists; unlisted: Order['unlisted']; choices: Choices },
): Promise<ImportObject[]> {
  const earlier = new Map((await earlierObjects(tx, source.of)).map(one => [`${one.kind} ${one.key}`, one]))
  const known = (kind: ImportObject['kind'], key: string) => {
    const object = earlier.get(`${kind} ${key}`)
    return object && { ...object, is_new: false }
  }
  const fresh = { object_id: null, is_new: true, name: null, is_bot: false }
  const chosen = (key: string) => {
    const user = directory.users.get(choices.people.get(key) ?? -1)
    return isPerson(user) && ({ ...fresh, kind: 'person', key, object_id: user.id, is_new: false } as const)
  }
  const people = lists.people.map(
    ({ key }) => chosen(key) || (known('person', key) ?? ({ ...fresh, kind: 'person', key } as const)),
  )
  const others = [...unlisted].map(
    ([key, { name, isBot }]) =>
      known('person', key) ?? ({ ...fresh, kind: 'person', key, name, is_bot: isBot } as const),
  )
  const groups = lists.groups.map(({ key }) => known('group', key) ?? ({ ...fresh, kind: 'group', key } as const))
  const conversations = lists.conversations.map(
    ({ key }) => known('conversation', key) ?? ({ ...fresh, kind: 'conversation', key } as const),
  )
  const names = new ChannelNames(directory)
  const missing = lists.channels.filter(({ key }) => !earlier.has(`channel ${key}`))
  const ids = await reserveChannelIds(tx, missing.length)
  const made = missing.map(
    ({ key, name }, i) =>
      ({
        ...fresh,
        kind: 'channel',
        key,
        object_id: ids[i] as number,
        name: names.name(choices.channelNames.get(key) ?? name),
      }) as const,
  )
  const kept = lists.channels.flatMap(({ key }) => known('channel', key) ?? [])
  return [...people, ...others, ...groups, ...conversations, ...kept, ...made]
}
