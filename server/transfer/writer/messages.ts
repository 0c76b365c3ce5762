import { setTimeout as sleep } from 'node:timers/promises'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { insertImportFiles, type NewImportFile } from '../../store/imports/import-files.js'
import { setConversation } from '../../store/imports/import-objects.js'
import { idsOf, messagesByKeys, type ThreadTopic, topicsOf } from '../../store/imports/import-order.js'
import {
  type ImportedEdit,
  type ImportedMessage,
  type ImportedReaction,
  insertImported,
} from '../../store/imports/imported-messages.js'
import { type ImportRow, isBusy, noteProgress } from '../../store/imports/imports.js'
import { makeConversation } from '../../store/messages/conversations.js'
import { mergeNewWords } from '../../store/pages/message-search.js'
import { nameOfEmojiCode } from '../../text/emoji.js'
import { emojiNameOf } from '../emoji-name.js'
import { type FaultKind, Faults } from '../faults.js'
import type { References, Source, SourceMessage } from '../source.js'
import { contentOf, referencesOf } from './content.js'
import { filesIn } from './files-in.js'
import type { Here } from './here.js'
import { marksOf } from './marks.js'
import { partsOf } from './parts.js'
import { rendered } from './rendered.js'
import { asTopic } from './titles.js'

// A batch ends at either.
const mostMessages = 250
const mostCharacters = 1_000_000
// The search index gets a list of new words, which is merged after so many messages.
const mergeAfter = 5000

interface Numbered {
  readonly number: number
  readonly message: SourceMessage
}

/** Stores the messages of an archive, batch by batch, from where the import has come to. Returns how many records are read. */
export async function importMessages(
  ctx: Ctx,
  row: ImportRow,
  {
    source,
    here,
    advance,
  }: { readonly source: Source; readonly here: Here; readonly advance: (messages: number) => void },
): Promise<number> {
  const writer = new MessageWriter(ctx, row, source.of, here)
  let number = 0
  let batch: Numbered[] = []
  let characters = 0
  const end = async () => {
    await writer.write(batch, number)
    advance(batch.length)
    batch = []
    characters = 0
  }
  // The check has noted the faults of reading.
  for await (const message of source.messages(new Faults())) {
    number++
    if (number <= row.done || !message || message.dropped !== null) continue
    batch.push({ number, message })
    characters += message.size
    if (batch.length >= mostMessages || characters >= mostCharacters) await end()
  }
  await end()
  await mergeNewWords(ctx.sql)
  return number
}

class MessageWriter {
  private readonly conversationIds = new Map<string, number>()
  private readonly counts: Record<string, number>
  private readonly faults: Faults
  private done: number
  private unmerged = 0

  constructor(
    private readonly ctx: Ctx,
    private readonly row: ImportRow,
    private readonly source: string,
    private readonly here: Here,
  ) {
    this.counts = { ...row.written }
    this.done = row.done
    this.faults = new Faults(row.faults as FaultKind[])
  }

  /** `done`: records of the archive that are read. */
  async write(batch: readonly Numbered[], done: number): Promise<void> {
    const since = performance.now()
    const { sql } = this.ctx
    const ids = await idsOf(
      sql,
      this.row.id,
      batch.map(one => one.number),
    )
    const topics = await this.topicsFor(batch)
    const names = referencesOf(this.ctx.directory, this.here, await this.referredBy(batch))
    const messages: ImportedMessage[] = []
    const files: NewImportFile[] = []
    for (const { number, message } of batch) {
      const own = ids.get(number)
      // Without ids: the archive has it twice, or an earlier import has it.
      if (!own) continue
      const stored = await this.storedAs(message, own, { topics, names })
      messages.push(...stored)
      files.push(...filesIn(message, stored))
    }
    await sql.begin(async tx => {
      await insertImported(tx, messages)
      await insertImportFiles(tx, this.row.id, files)
      const place = { ...this.row, done: this.done }
      await noteProgress(tx, place, { done, written: this.counts, faults: this.faults.list() })
    })
    this.done = done
    this.unmerged += messages.length
    if (this.unmerged >= mergeAfter) {
      this.unmerged = 0
      await mergeNewWords(sql)
    }
    // Where people write meanwhile, half of the time belongs to them.
    if (await isBusy(sql)) await sleep(performance.now() - since)
  }

  private async topicsFor(batch: readonly Numbered[]): Promise<ReadonlyMap<string, ThreadTopic>> {
    const threads = batch.flatMap(({ message: { place, thread } }) => (thread === null ? [] : { place, thread }))
    if (threads.length === 0) return new Map()
    const found = await topicsOf(this.ctx.sql, this.source, threads)
    return new Map(found.map(one => [`${one.place} ${one.thread}`, one]))
  }

  /** The ids of the messages to which these lead. */
  private async referredBy(batch: readonly Numbered[]): Promise<ReadonlyMap<string, number>> {
    const keys = [...new Set(batch.flatMap(({ message }) => message.refersTo))]
    if (keys.length === 0) return new Map()
    const found = await messagesByKeys(this.ctx.sql, this.source, keys)
    return new Map(found.map(({ key, id }) => [key, id]))
  }

  /** The message, then its copy or pointer in the main topic. */
  private async storedAs(
    message: SourceMessage,
    { id, ids }: { id: number; ids: number },
    { topics, names }: { readonly topics: ReadonlyMap<string, ThreadTopic>; readonly names: References },
  ): Promise<ImportedMessage[]> {
    const senderId = this.here.people.get(message.sender.key)
    if (senderId === undefined) throw new Error(`the sender of ${message.key} has no account`)
    const place = await this.placeOf(message, senderId)
    const thread = message.thread === null ? undefined : topics.get(`${message.place} ${message.thread}`)
    const topic =
      place.channelId === null ? '' : message.topic === null ? (thread?.topic ?? '') : asTopic(message.topic)
    const text = contentOf(message, names)
    const further = thread && place.channelId !== null ? this.furtherOf(message, text, thread) : undefined
    const parts = partsOf(text, further === undefined ? ids : ids - 1)
    const contents = [
      ...parts.map(content => ({ content, topic })),
      ...(further === undefined ? [] : partsOf(further, 1).map(content => ({ content, topic: '' }))),
    ]
    const edits = await this.editsOf(message, { senderId, members: place.members, topic, names })
    const stored: ImportedMessage[] = []
    for (const [i, one] of contents.entries()) {
      const { mentioned, ...text } = await rendered(
        this.ctx,
        { ...one, authorId: senderId, place: message.place, members: place.members },
        this.here,
      )
      stored.push({
        id: id + i,
        sender_id: senderId,
        channel_id: place.channelId,
        conversation_id: place.conversationId,
        date_sent: message.sent,
        last_edit_time: message.edited,
        last_move_time: edits.findLast(edit => edit.topic !== null || edit.stream !== null)?.edited_at ?? null,
        ...one,
        ...text,
        reactions: i === 0 ? this.reactionsOf(message) : [],
        edits: i === 0 ? edits : [],
        ...marksOf(message.marks, { here: this.here, senderId, mentioned, part: i < parts.length ? i : null }),
      })
    }
    this.count('messages', 1)
    this.count('further parts of long texts', parts.length - 1)
    if (further !== undefined) this.count(message.isReply ? 'copies in the channel' : 'pointers to threads', 1)
    this.count('reactions', stored[0]?.reactions.length ?? 0)
    return stored
  }

  /** What the main topic shows of a thread: a reply that the channel shows, too, or where the thread is. */
  private furtherOf(message: SourceMessage, text: string, { topic, replies }: ThreadTopic): string | undefined {
    const channel = this.here.channels.get(message.place)
    const link = `#**${channel?.name}>${topic}**`
    if (message.isReply) return message.isBroadcast ? `${text}\n\n(${link})` : undefined
    return `${topic} (${replies} ${replies === 1 ? 'reply' : 'replies'}: ${link})`
  }

  /** Those that name what is here. */
  private async editsOf(
    { edits, place, sent }: SourceMessage,
    {
      senderId,
      members,
      topic,
      names,
    }: { senderId: number; members: ReadonlySet<number>; topic: string; names: References },
  ): Promise<ImportedEdit[]> {
    const found: ImportedEdit[] = []
    for (const edit of edits) {
      // Files of earlier texts are not kept.
      const content = edit.content?.({ ...names, file: ({ name, label }) => label ?? name })
      const [earlier] = content === undefined ? [] : partsOf(content, 1)
      const text = earlier === undefined ? undefined : { content: earlier, topic, authorId: senderId, place, members }
      const [prev_topic = null, next_topic = null] = edit.topic?.map(asTopic) ?? []
      const [prev_stream, stream] = edit.channel?.map(key => this.here.channels.get(key)?.id) ?? []
      const isMove = prev_stream !== undefined && stream !== undefined
      if (!text && edit.topic === null && !isMove) continue
      found.push({
        user_id: this.here.people.get(edit.editor ?? '') ?? null,
        edited_at: edit.at < sent ? sent : edit.at,
        prev_stream: isMove ? prev_stream : null,
        stream: isMove ? stream : null,
        prev_topic,
        topic: next_topic,
        prev_content: text?.content ?? null,
        prev_rendered_content: text ? (await rendered(this.ctx, text, this.here)).rendered_content : null,
      })
    }
    this.count('earlier texts and places', found.length)
    return found
  }

  private async placeOf(
    { place, key }: SourceMessage,
    senderId: number,
  ): Promise<{ channelId: number | null; conversationId: number | null; members: ReadonlySet<number> }> {
    const channel = this.here.channels.get(place)
    if (channel) return { channelId: channel.id, conversationId: null, members: channel.memberIds }
    const listed = this.here.conversations.get(place)
    if (!listed) throw new Error(`the place of ${key} is not here`)
    const members = listed.includes(senderId) ? listed : [...listed, senderId].sort((a, b) => a - b)
    const set = members.join()
    const conversationId = this.conversationIds.get(set) ?? (await makeConversation(this.ctx.sql, members))
    if (!this.conversationIds.has(set)) {
      this.conversationIds.set(set, conversationId)
      if (members === listed) await setConversation(this.ctx.sql, this.row.id, place, conversationId)
    }
    return { channelId: null, conversationId, members: new Set(members) }
  }

  private reactionsOf({ reactions, key }: SourceMessage): ImportedReaction[] {
    const found = new Map<string, ImportedReaction>()
    const codes = new Set<string>()
    for (const { name, code: standard, person } of reactions) {
      const user_id = this.here.people.get(person)
      const emoji = this.emojiOf(name, standard)
      const code = emoji?.code ?? ''
      if (!emoji) this.faults.add('reactions with an emoji that is not here', key, `:${name}:`)
      else if (user_id === undefined) this.faults.add('reactions of people who are not here', key, person)
      else if (!codes.has(code) && codes.size >= budgets.reactionEmoji.most) {
        this.faults.add('reactions with more emoji than a message can have', key, `:${name}:`)
      } else {
        codes.add(code)
        found.set(`${code} ${user_id}`, { user_id, ...emoji })
      }
    }
    return [...found.values()]
  }

  private emojiOf(name: string, code: string | null): Omit<ImportedReaction, 'user_id'> | undefined {
    const custom = this.here.emoji.get(emojiNameOf(name))
    // A custom emoji that is called like a standard one hides it at the source.
    if (custom) return { type: 'realm_emoji', code: String(custom.id), name: custom.name }
    const { wireBrand } = this.ctx.config
    if (code === null && name === wireBrand) return { type: 'extra_emoji', code: wireBrand, name: wireBrand }
    const shown = code === null ? undefined : nameOfEmojiCode(code)
    return code === null || shown === undefined ? undefined : { type: 'unicode_emoji', code, name: shown }
  }

  private count(what: string, count: number): void {
    if (count > 0) this.counts[what] = (this.counts[what] ?? 0) + count
  }
}
