import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Archive } from '../archive.js'
import { emojiNameOf } from '../emoji-name.js'
import { emojiCharacter, emojiCodes } from '../emoji-table.js'
import type { Faults } from '../faults.js'
import { linesOf } from '../json-lines.js'
import { firstText, inside, type Loose, listOf, recordOf, textOf } from '../loose.js'
import {
  noMarks,
  type Person,
  type References,
  type Sender,
  type Source,
  type SourceBytes,
  type SourceChannel,
  type SourceConversation,
  type SourceEmoji,
  type SourceFile,
  type SourceLists,
  type SourceMessage,
  type SourceReaction,
  UnusableArchive,
} from '../source.js'
import { mattermostMarkdown } from './markdown.js'

const dataFile = /^[^/]+\.jsonl$/

/** A bulk export of Mattermost; undefined: the archive is of another server. */
export function mattermostSource(archive: Archive): Source | undefined {
  const file = archive.names.find(name => dataFile.test(name))
  return file === undefined ? undefined : new MattermostSource(archive, file)
}

class MattermostSource implements Source {
  readonly of = 'Mattermost'
  readonly fileHosts = []
  private readonly people = new Map<string, Person>()
  private readonly channels = new Map<string, ListedChannel>()
  private readonly conversations = new Map<string, SourceConversation>()
  private readonly teams = new Map<string, string>()
  private readonly emoji = emojiCodes('mattermost/emoji-names.json')
  private readonly customEmoji = new Map<string, SourceEmoji>()

  constructor(
    private readonly archive: Archive,
    private readonly data: string,
  ) {}

  async lists(faults: Faults): Promise<SourceLists> {
    let isFirst = true
    // Posts in channels name nothing that the other lines do not name.
    for await (const { type, value, place } of this.lines(faults, line => !line.startsWith('{"type":"post"'))) {
      if (isFirst) requireVersion(type, value)
      isFirst = false
      this.addLine(type, value, place, faults)
    }
    return {
      people: [...this.people.values()],
      groups: [],
      channels: [...this.channels.values()],
      conversations: [...this.conversations.values()],
      customEmoji: [...this.customEmoji.values()],
    }
  }

  async *messages(faults: Faults): AsyncGenerator<SourceMessage | null> {
    for await (const { type, value, place } of this.lines(faults, isPost)) {
      if (type !== 'post' && type !== 'direct_post') continue
      const post = recordOf(value)
      const at = post && this.placeOf(type, post)
      if (!post || !at) {
        faults.add('records that are no messages', place, 'it names no channel')
        yield null
        continue
      }
      const replies = listOf(post.replies).map(one => inside(one))
      const root = this.messageOf(post, { at, thread: null, faults, place })
      yield { ...root, thread: replies.length > 0 ? root.key : null }
      for (const reply of replies) yield this.messageOf(reply, { at, thread: root.key, faults, place })
    }
  }

  file(entry: string): AsyncIterable<Buffer> {
    return this.archive.bytesOf(entry)
  }

  private async *lines(
    faults: Faults,
    reads: (line: string) => boolean,
  ): AsyncGenerator<{ type: string; value: unknown; place: string }> {
    for await (const listed of linesOf(this.archive.read(this.data, faults, mostBytes), reads)) {
      const place = `${this.data} #${listed.number}`
      const record = listed.fault === undefined ? recordOf(listed.value) : undefined
      const type = firstText(record?.type)
      if (record && type !== '') yield { type, value: record[type], place }
      else faults.add('lines that are not readable', place, listed.fault ?? 'it has no type')
    }
  }

  private addLine(type: string, value: unknown, place: string, faults: Faults): void {
    const record = inside(value)
    switch (type) {
      case 'team':
        this.teams.set(firstText(record.name), firstText(record.display_name, record.name))
        return
      case 'channel':
        this.addChannel(record, place, faults)
        return
      case 'user':
        this.addPerson({ ...personOf(record), picture: this.bytesAt(record.profile_image) }, place, faults)
        this.addMember(record)
        return
      case 'bot':
        this.addPerson(botOf(record), place, faults)
        return
      case 'emoji':
        this.addEmoji(record, place, faults)
        return
      case 'direct_channel':
        this.addConversation(membersIn(record))
        return
      case 'direct_post':
        this.addConversation(namesIn(record.channel_members))
        return
    }
  }

  private addPerson(person: Person, place: string, faults: Faults): void {
    if (person.key === '') faults.add('people without an id', place, 'the entry is left out')
    else this.people.set(person.key, person)
  }

  private addMember(user: Loose): void {
    const key = firstText(user.username).toLowerCase()
    for (const team of listOf(user.teams).map(one => inside(one))) {
      for (const channel of listOf(team.channels).map(one => inside(one))) {
        const joined = this.channels.get(`${firstText(team.name)}/${firstText(channel.name)}`)
        joined?.members.push(key)
        if (channel.favorite === true) joined?.pinnedBy.push(key)
        if (inside(channel.notify_props).mark_unread === 'mention') joined?.mutedBy.push(key)
      }
    }
  }

  private addChannel(record: Loose, place: string, faults: Faults): void {
    const [team, name] = [firstText(record.team), firstText(record.name)]
    if (team === '' || name === '') {
      faults.add('channels without an id', place, 'it is left out')
      return
    }
    const shown = firstText(record.display_name, name)
    const isPrivate = record.type !== 'O'
    this.channels.set(`${team}/${name}`, {
      key: `${team}/${name}`,
      // Each team has a channel of this name.
      name: name === 'town-square' && this.teams.size > 1 ? `${shown} (${this.teams.get(team) ?? team})` : shown,
      description: firstText(record.purpose, record.header),
      folder: this.teams.size > 1 ? (this.teams.get(team) ?? team) : '',
      isPrivate,
      isHistoryHidden: false,
      isArchived: Number(record.deleted_at) > 0,
      isDefault: name === 'town-square' && !isPrivate,
      created: null,
      creator: null,
      members: [],
      pinnedBy: [],
      mutedBy: [],
    })
  }

  private addEmoji({ name, image }: Loose, place: string, faults: Faults): void {
    const known = emojiNameOf(firstText(name))
    const picture = this.bytesAt(image)
    if (known !== '' && picture) this.customEmoji.set(known, { name: known, picture })
    else faults.add('custom emoji without a name or a picture', place, firstText(name))
  }

  private addConversation(members: readonly string[]): void {
    if (members.length > 0) this.conversations.set(conversationKey(members), { key: conversationKey(members), members })
  }

  /** The key of the channel or conversation of a post. */
  private placeOf(type: string, post: Loose): string | undefined {
    if (type === 'post') {
      const key = `${firstText(post.team)}/${firstText(post.channel)}`
      return this.channels.has(key) ? key : undefined
    }
    const members = namesIn(post.channel_members)
    return members.length > 0 ? conversationKey(members) : undefined
  }

  private messageOf(
    post: Loose,
    { at, thread, faults, place }: { at: string; thread: string | null; faults: Faults; place: string },
  ): SourceMessage {
    const sent = timeOf(post.create_at)
    if (!sent) faults.add('messages without a time', place, 'its time is no number; kept at the start')
    const message = textOf(post.message)
    const user = firstText(post.user).toLowerCase()
    const hash = createHash('sha256').update(message).digest('base64url').slice(0, 12)
    const files = listOf(post.attachments).map(one => this.fileOf(inside(one)))
    const attachments = listOf(inside(post.props).attachments).map(inside)
    return {
      // A post has no id: the same text of the same author in the same millisecond is the same post.
      key: `${at} ${sent?.getTime() ?? 0} ${user} ${hash}`,
      dropped: droppedFor(post, message !== '' || files.length > 0 || attachments.length > 0),
      sent: sent ?? new Date(0),
      edited: timeOf(post.edit_at) ?? null,
      sender: this.senderOf(user),
      place: at,
      topic: null,
      thread,
      threadName: '',
      isReply: thread !== null,
      isBroadcast: false,
      reactions: listOf(post.reactions).flatMap(one => this.reactionOf(inside(one))),
      files,
      marks: { ...noMarks, starred: namesIn(post.flagged_by) },
      edits: [],
      refersTo: [],
      size: message.length + (attachments.length > 0 ? JSON.stringify(attachments).length : 0),
      content: names => this.contentOf({ message, attachments, isMe: post.type === 'me' }, names, at),
    }
  }

  private senderOf(user: string): Sender {
    const known = this.people.get(user)
    if (known) return known
    return user === '' ? { key: 'unknown', name: 'Unknown', isBot: false } : { key: user, name: user, isBot: false }
  }

  private reactionOf(reaction: Loose): SourceReaction[] {
    const [name, person] = [firstText(reaction.emoji_name), firstText(reaction.user).toLowerCase()]
    return person === '' ? [] : [{ name, code: this.emoji.get(name) ?? null, person }]
  }

  private emojiText(name: string): string | undefined {
    const custom = this.customEmoji.get(emojiNameOf(name))
    if (custom) return `:${custom.name}:`
    const code = this.emoji.get(name)
    return code === undefined ? undefined : emojiCharacter(code)
  }

  private fileOf({ path }: Loose): SourceFile {
    const name = posix.basename(firstText(path))
    const bytes = this.bytesAt(path)
    return bytes ? { name, ...bytes } : { name, at: 'nowhere', why: 'not in the archive' }
  }

  private bytesAt(path: unknown): (SourceBytes & { readonly at: 'archive' }) | null {
    const file = firstText(path)
    // Some exports have the folder twice, some without its name.
    const entry = [file, `data/${file}`].find(one => this.archive.has(one))
    return entry === undefined ? null : { at: 'archive', bytes: this.archive.sizeOf(entry), entry }
  }

  private contentOf(
    { message, attachments, isMe }: { message: string; attachments: readonly Loose[]; isMe: boolean },
    references: References,
    at: string,
  ): string {
    const [team = ''] = at.split('/')
    const names = {
      person: (name: string) => (this.people.has(name) ? references.person(name) : undefined),
      channel: (name: string) =>
        [team, ...this.teams.keys()].map(one => references.channel(`${one}/${name}`)).find(one => one !== undefined),
      emoji: (name: string) => this.emojiText(name),
    }
    const markdown = (text: string) => mattermostMarkdown(text, names)
    if (isMe) return `/me ${markdown(message.replace(/^\/me /, ''))}`
    return joined([markdown(message), ...attachments.map(one => attachmentText(one, markdown))])
  }
}

interface ListedChannel extends SourceChannel {
  readonly members: string[]
  readonly pinnedBy: string[]
  readonly mutedBy: string[]
}

// A post is a line, so the file needs no memory for its size.
const mostBytes = 64 * 1024 ** 3

const isPost = (line: string): boolean => /^\s*\{\s*"type"\s*:\s*"(?:direct_)?post"/.test(line)

function requireVersion(type: string, value: unknown): void {
  if (type === 'version' && value === 1) return
  throw new UnusableArchive(
    'The archive is of an unknown version of the bulk format of Mattermost: its first line is no version 1.',
  )
}

const namesIn = (list: unknown): string[] =>
  [...new Set(listOf(list).map(one => firstText(one).toLowerCase()))].filter(name => name !== '')

const membersIn = (channel: Loose): string[] => {
  const members = namesIn(channel.members)
  return members.length > 0 ? members : namesIn(listOf(channel.participants).map(one => inside(one).username))
}

const conversationKey = (members: readonly string[]): string => `direct ${[...members].sort().join(' ')}`

function timeOf(value: unknown): Date | undefined {
  const time = typeof value === 'number' && value > 0 && value < 1e14 ? new Date(value) : undefined
  return time
}

function personOf(user: Loose): Person {
  const roles = firstText(user.roles).split(' ')
  const key = firstText(user.username).toLowerCase()
  const address = firstText(user.email)
  return {
    key,
    name: firstText(`${textOf(user.first_name)} ${textOf(user.last_name)}`.trim(), user.nickname, key),
    address: address === '' ? null : address,
    isBot: false,
    isActive: !(Number(user.delete_at) > 0),
    rank: roles.includes('system_guest') ? 'guest' : roles.includes('system_admin') ? 'administrator' : 'member',
    timezone: '',
    picture: null,
  }
}

function botOf(bot: Loose): Person {
  const key = firstText(bot.username).toLowerCase()
  const name = firstText(bot.display_name, key)
  return {
    key,
    name,
    address: null,
    isBot: true,
    isActive: false,
    rank: 'member',
    timezone: '',
    picture: null,
  }
}

/** Why a post is not imported; null: it is. */
function droppedFor(post: Loose, hasContent: boolean): string | null {
  const type = firstText(post.type)
  if (type.startsWith('system_')) return type.slice('system_'.length).replaceAll('_', ' ')
  return hasContent ? null : 'nothing to show'
}

const joined = (parts: readonly string[]): string => parts.filter(part => part.trim() !== '').join('\n\n')

/** What an integration shows beside the text. */
function attachmentText(one: Loose, markdown: (text: string) => string): string {
  const link = (url: string, label: string) =>
    url === '' ? markdown(label) : `[${label === '' ? url : label}](${url})`
  const title = link(firstText(one.title_link), firstText(one.title))
  const fields = listOf(one.fields)
    .map(inside)
    .map(({ title, value }) =>
      joinedField(firstText(title), markdown(typeof value === 'number' ? String(value) : textOf(value))),
    )
  const whole = joined([
    markdown(textOf(one.pretext)),
    link(firstText(one.author_link), firstText(one.author_name)),
    title === '' ? '' : `**${title}**`,
    markdown(textOf(one.text)),
    fields.join('\n'),
    firstText(one.image_url),
    markdown(textOf(one.footer)),
  ])
  return whole === '' ? markdown(textOf(one.fallback)) : whole
}

const joinedField = (title: string, value: string): string => (title === '' ? value : `**${title}**: ${value}`)
