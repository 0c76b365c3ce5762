import { posix } from 'node:path'
import type { Archive } from '../archive.js'
import { emojiNameOf } from '../emoji-name.js'
import { Faults } from '../faults.js'
import { elementsOf } from '../json-list.js'
import { firstText, inside, type Loose, textOf } from '../loose.js'
import {
  type Person,
  type References,
  type Sender,
  type Source,
  type SourceBytes,
  type SourceChannel,
  type SourceConversation,
  type SourceEmoji,
  type SourceFile,
  type SourceGroup,
  type SourceLists,
  type SourceMessage,
  type SourceTopicPolicy,
  UnusableArchive,
} from '../source.js'
import { editsOf } from './history.js'
import { filesOf, messagesIn, type ZulipNames, zulipMarkdown } from './markdown.js'
import { FileMarks } from './marks.js'
import { personOf, systemPersonOf } from './people.js'
import { Reactions } from './reactions.js'
import { idOf, prefixOf, realmFile, rowsOf, timeOf } from './realm.js'

const messageFile = /^messages-(\d{1,9})\.json$/

/** An export of Zulip; undefined: the archive is of another server. */
export function zulipSource(archive: Archive): Source | undefined {
  return archive.has(realmFile) ? new ZulipSource(archive) : undefined
}

const [toPerson, toChannel, toGroup] = [1, 2, 3]

interface Recipient {
  readonly type: number
  readonly id: number
}

interface ListedChannel extends SourceChannel {
  isDefault: boolean
  readonly members: string[]
  readonly pinnedBy: string[]
  readonly mutedBy: string[]
}

interface ListedGroup extends SourceGroup {
  readonly members: string[]
  readonly subgroups: string[]
}

const tables = [
  'zerver_realm',
  'zerver_userprofile',
  'zerver_userprofile_mirrordummy',
  'zerver_userprofile_crossrealm',
  'zerver_stream',
  'zerver_recipient',
  'zerver_subscription',
  'zerver_defaultstream',
  'zerver_usergroup',
  'zerver_namedusergroup',
  'zerver_usergroupmembership',
  'zerver_groupgroupmembership',
  'zerver_reaction',
]

class ZulipSource implements Source {
  readonly of = 'Zulip'
  // An export holds all its files.
  readonly fileHosts = []
  private prefix = ''
  private readonly people = new Map<number, Person>()
  private readonly byName = new Map<string, Person>()
  private readonly channels = new Map<number, ListedChannel>()
  private readonly channelKeys = new Map<string, string>()
  private readonly groups = new Map<number, ListedGroup>()
  private readonly groupKeys = new Map<string, string>()
  private readonly recipients = new Map<number, Recipient>()
  /** Of conversations of several people, by their recipients. */
  private readonly members = new Map<number, number[]>()
  private readonly conversations = new Map<string, SourceConversation>()
  private readonly reactions = new Reactions()
  private readonly pictures = new Map<number, SourceBytes>()
  private known: Promise<SourceLists> | undefined

  constructor(private readonly archive: Archive) {}

  /** They are read once: they take long, and stay in memory anyway. */
  lists(faults: Faults): Promise<SourceLists> {
    this.known ??= this.readLists(faults)
    return this.known
  }

  private async readLists(faults: Faults): Promise<SourceLists> {
    await this.readPictures(faults)
    await this.readRealm(faults)
    await this.findConversations(faults)
    return {
      people: [...this.people.values()],
      groups: [...this.groups.values()],
      channels: [...this.channels.values()],
      conversations: [...this.conversations.values()],
      customEmoji: await this.customEmoji(faults),
    }
  }

  async *messages(faults: Faults): AsyncGenerator<SourceMessage | null> {
    for (const file of this.messageFiles(faults)) {
      const marks = await this.marksIn(file)
      for await (const { row, at } of rowsOf(this.archive, { file, tables: ['zerver_message'], faults })) {
        const id = idOf(row?.id)
        const recipient = this.recipients.get(idOf(row?.recipient) ?? -1)
        if (!row || id === undefined || !recipient) {
          if (row) faults.add('records that are no messages', at, 'it has no id or no recipient')
          yield null
        } else yield this.messageOf(row, { id, recipient, marks, at, faults })
      }
    }
  }

  async *topicPolicies(): AsyncGenerator<SourceTopicPolicy> {
    for await (const { row } of this.rows(['zerver_usertopic'], new Faults())) {
      const policy = policies[Number(row?.visibility_policy)]
      const [person, channel] = [idOf(row?.user_profile), idOf(row?.stream)]
      if (row && policy && person !== undefined && channel !== undefined) {
        yield { person: this.key(person), channel: this.key(channel), topic: textOf(row.topic_name), policy }
      }
    }
  }

  file(entry: string): AsyncIterable<Buffer> {
    return this.archive.bytesOf(entry)
  }

  private key(id: number | string): string {
    return `${this.prefix}/${id}`
  }

  private rows(wanted: readonly string[], faults: Faults) {
    return rowsOf(this.archive, { file: realmFile, tables: wanted, faults })
  }

  private async readRealm(faults: Faults): Promise<void> {
    for await (const { row } of this.rows(['zerver_realm'], faults)) if (row) this.prefix = prefixOf(row)
    if (this.prefix === '') throw new UnusableArchive('The archive holds no organization: its realm.json has none.')
    const subscriptions: Loose[] = []
    for await (const { table, row, at } of this.rows(tables, faults)) {
      if (!row) continue
      if (table === 'zerver_subscription') subscriptions.push(subscriptionOf(row))
      else if (table === 'zerver_reaction') {
        if (!this.reactions.add(row)) faults.add('reactions that cannot be read', at, 'it is left out')
      } else this.addRow(table, row, { at, faults })
    }
    for (const one of subscriptions) this.subscribe(one)
  }

  private addRow(table: string, row: Loose, { at, faults }: { at: string; faults: Faults }): void {
    const id = idOf(row.id)
    switch (table) {
      case 'zerver_userprofile':
      case 'zerver_userprofile_mirrordummy':
      case 'zerver_userprofile_crossrealm':
        if (id === undefined) faults.add('people without an id', at, 'the entry is left out')
        else this.addPerson(table, id, row)
        return
      case 'zerver_stream':
        if (id === undefined) faults.add('channels without an id', at, 'it is left out')
        else this.addChannel(id, row)
        return
      case 'zerver_recipient':
        if (id !== undefined) this.recipients.set(id, { type: Number(row.type), id: idOf(row.type_id) ?? -1 })
        return
      case 'zerver_defaultstream': {
        const channel = this.channels.get(idOf(row.stream) ?? -1)
        if (channel) channel.isDefault = true
        return
      }
      case 'zerver_usergroup':
      case 'zerver_namedusergroup':
        if (id !== undefined) this.addGroup(id, row)
        return
      case 'zerver_usergroupmembership':
        this.groups.get(idOf(row.user_group) ?? -1)?.members.push(this.key(String(row.user_profile)))
        return
      case 'zerver_groupgroupmembership':
        this.groups.get(idOf(row.supergroup) ?? -1)?.subgroups.push(this.key(String(row.subgroup)))
        return
    }
  }

  private addPerson(table: string, id: number, row: Loose): void {
    const key = this.key(id)
    const person =
      table === 'zerver_userprofile_crossrealm'
        ? systemPersonOf(row, key)
        : personOf(row, {
            key,
            isDummy: table === 'zerver_userprofile_mirrordummy' || row.is_mirror_dummy === true,
            picture: row.avatar_source === 'U' ? (this.pictures.get(id) ?? null) : null,
          })
    this.people.set(id, person)
    this.byName.set(person.name, person)
  }

  private addChannel(id: number, row: Loose): void {
    const creator = idOf(row.creator)
    const name = firstText(row.name, String(id)).replace(/^!+DEACTIVATED:/, '')
    this.channelKeys.set(name.toLowerCase(), this.key(id))
    this.channels.set(id, {
      key: this.key(id),
      name,
      description: textOf(row.description),
      folder: '',
      isPrivate: row.invite_only === true,
      isHistoryHidden: row.invite_only === true && row.history_public_to_subscribers === false,
      isArchived: row.deactivated === true,
      isDefault: false,
      created: timeOf(row.date_created) ?? null,
      creator: creator === undefined ? null : this.key(creator),
      members: [],
      pinnedBy: [],
      mutedBy: [],
    })
  }

  /** Groups of the server itself, and those without a name, say who has which right: rights come from here alone. */
  private addGroup(id: number, row: Loose): void {
    const name = firstText(row.name)
    if (name === '' || row.is_system_group === true || row.deactivated === true) return
    this.groupKeys.set(name.toLowerCase(), this.key(id))
    this.groups.set(id, {
      key: this.key(id),
      name,
      description: textOf(row.description),
      members: [],
      subgroups: [],
    })
  }

  private subscribe({ user, recipient, isActive, isPinned, isMuted }: Loose): void {
    const [person, to] = [idOf(user), this.recipients.get(idOf(recipient) ?? -1)]
    if (person === undefined || !to) return
    if (to.type === toGroup) {
      const members = this.members.get(Number(recipient))
      if (members) members.push(person)
      else this.members.set(Number(recipient), [person])
      return
    }
    const channel = to.type === toChannel ? this.channels.get(to.id) : undefined
    if (!channel || isActive !== true) return
    const key = this.key(person)
    channel.members.push(key)
    if (isPinned === true) channel.pinnedBy.push(key)
    if (isMuted === true) channel.mutedBy.push(key)
  }

  private async readPictures(faults: Faults): Promise<void> {
    for await (const { record, picture } of this.records('avatars', faults)) {
      const id = idOf(record.user_profile_id)
      if (id !== undefined) this.pictures.set(id, picture)
    }
  }

  private async customEmoji(faults: Faults): Promise<SourceEmoji[]> {
    const emoji = new Map<string, SourceEmoji>()
    for await (const { record, picture } of this.records('emoji', faults)) {
      const name = emojiNameOf(firstText(record.name))
      if (name !== '' && record.deactivated !== true) emoji.set(name, { name, picture })
    }
    return [...emoji.values()]
  }

  /** Pictures by their list; of one that is there twice, what was uploaded comes last. */
  private async *records(
    folder: string,
    faults: Faults,
  ): AsyncGenerator<{ readonly record: Loose; readonly picture: SourceBytes }> {
    const originals: { record: Loose; picture: SourceBytes }[] = []
    for await (const listed of elementsOf(this.archive.read(`${folder}/records.json`, faults))) {
      const record = inside(listed.fault === undefined ? listed.value : undefined)
      const entry = `${folder}/${firstText(record.path, record.s3_path)}`.normalize('NFC')
      if (!this.archive.has(entry)) {
        faults.add('pictures that the archive lacks', `${folder}/records.json #${listed.number}`, entry)
        continue
      }
      const found = { record, picture: { at: 'archive', bytes: this.archive.sizeOf(entry), entry } as const }
      if (entry.endsWith('.original')) originals.push(found)
      else yield found
    }
    yield* originals
  }

  private messageFiles(faults: Faults): string[] {
    const files = this.archive.names
      .flatMap(name => {
        const number = messageFile.exec(name)?.[1]
        return number === undefined ? [] : [{ name, number: Number(number) }]
      })
      .sort((a, b) => a.number - b.number)
    for (const [i, { name, number }] of files.entries()) {
      if (number !== i + 1 && number !== (files[i - 1]?.number ?? 0) + 1)
        faults.add('files of messages that are missing', name, 'the one before it is not in the archive')
    }
    return files.map(one => one.name)
  }

  /** Direct conversations are in no list. */
  private async findConversations(faults: Faults): Promise<void> {
    for (const file of this.messageFiles(faults)) {
      for await (const { row } of rowsOf(this.archive, { file, tables: ['zerver_message'], faults: new Faults() })) {
        const recipient = this.recipients.get(idOf(row?.recipient) ?? -1)
        if (!row || !recipient || recipient.type === toChannel) continue
        const place = this.conversationOf(row, recipient)
        if (!this.conversations.has(place.key)) this.conversations.set(place.key, place)
      }
    }
  }

  private conversationOf(message: Loose, { type, id }: Recipient): SourceConversation {
    const ids = type === toPerson ? [id] : (this.members.get(Number(message.recipient)) ?? [])
    const all = [...new Set([...ids, idOf(message.sender) ?? id])].sort((a, b) => a - b)
    return { key: `${this.prefix} ${all.join(' ')}`, members: all.map(one => this.key(one)) }
  }

  private async marksIn(file: string): Promise<FileMarks> {
    const marks = new FileMarks()
    const wanted = ['zerver_message', 'zerver_usermessage']
    for await (const { table, row } of rowsOf(this.archive, { file, tables: wanted, faults: new Faults() })) {
      if (!row) continue
      if (table === 'zerver_usermessage') marks.add(row)
      else {
        const to = this.recipients.get(idOf(row.recipient) ?? -1)
        const isHidden = to?.type === toChannel && this.channels.get(to.id)?.isHistoryHidden === true
        marks.addMessage(idOf(row.id) ?? -1, isHidden)
      }
    }
    return marks
  }

  private messageOf(
    row: Loose,
    {
      id,
      recipient,
      marks,
      at,
      faults,
    }: { id: number; recipient: Recipient; marks: FileMarks; at: string; faults: Faults },
  ): SourceMessage {
    const channel = recipient.type === toChannel ? this.channels.get(recipient.id) : undefined
    const sent = timeOf(row.date_sent)
    if (!sent) faults.add('messages without a time', at, 'its time is no number; kept at the start')
    const [content, html] = [textOf(row.content), textOf(row.rendered_content)]
    const markdown = (text: string, rendering: string, references: References) =>
      zulipMarkdown({ content: text, html: rendering, names: this.names }, references)
    const keyOf = (person: number) => this.key(person)
    const edits = editsOf(
      { ...row, channel: channel && recipient.id },
      {
        keyOf,
        channelOf: one => this.channels.get(one)?.key,
        markdown,
      },
    )
    if (!edits) faults.add('messages whose history cannot be read', at, 'it is imported without')
    return {
      key: this.key(id),
      dropped: recipient.type === toChannel && !channel ? 'in a channel that no list names' : null,
      sent: sent ?? new Date(0),
      edited: editTimeOf(row, edits ?? []),
      sender: this.senderOf(row),
      place: channel?.key ?? this.conversationOf(row, recipient).key,
      topic: channel ? textOf(row.subject) : '',
      thread: null,
      threadName: '',
      isReply: false,
      isBroadcast: false,
      reactions: this.reactions.of(id, keyOf),
      files: filesOf(content, this.names),
      marks: marks.of(id, keyOf),
      edits: edits ?? [],
      refersTo: messagesIn(content).map(one => this.key(one)),
      size: content.length,
      content: references => markdown(content, html, references),
    }
  }

  private senderOf({ sender }: Loose): Sender {
    const id = idOf(sender) ?? 0
    return this.people.get(id) ?? { key: this.key(id), name: `User ${id}`, isBot: false }
  }

  private readonly names: ZulipNames = {
    personKey: (name, id) => {
      const known = id === null ? undefined : this.people.get(Number(id))
      return (known ?? this.byName.get(name))?.key
    },
    channelKey: name => this.channelKeys.get(name.toLowerCase()),
    groupKey: name => this.groupKeys.get(name.toLowerCase()),
    key: id => this.key(id),
    file: (path, label) => this.fileAt(path, label),
  }

  private fileAt(path: string, label: string): SourceFile {
    const entry = `uploads/${decoded(path)}`.normalize('NFC')
    const stored = posix.basename(entry)
    const name = label !== '' && posix.extname(label) === posix.extname(stored) ? posix.basename(label) : stored
    const shown = { name, label: label === '' ? name : label }
    return this.archive.has(entry)
      ? { ...shown, at: 'archive', bytes: this.archive.sizeOf(entry), entry }
      : { ...shown, at: 'nowhere', why: 'not in the archive' }
  }
}

const policies: readonly (SourceTopicPolicy['policy'] | undefined)[] = [undefined, 'muted', 'unmuted', 'followed']

/** A row of which there are as many as people times channels, without what is not used. */
const subscriptionOf = (row: Loose): Loose => ({
  user: row.user_profile,
  recipient: row.recipient,
  isActive: row.active === true,
  isPinned: row.pin_to_top === true,
  isMuted: row.is_muted === true,
})

/** When its text was changed; a move alone is none. */
function editTimeOf(row: Loose, edits: SourceMessage['edits']): Date | null {
  const text = edits.findLast(one => one.content !== null)
  return text?.at ?? (edits.length === 0 ? (timeOf(row.last_edit_time) ?? null) : null)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
