import { type ChannelRow, type HeldChannel, lockVersionAndChannels } from '../store/channels/channels.js'
import { directoryChangesAfter, type RemovedRow } from '../store/directory/directory-changes.js'
import type { ISql, Sql, Tx } from '../store/driver/db.js'
import type { GroupRow } from '../store/groups/groups.js'
import { type OrganizationRow, readVersions } from '../store/organization/organization.js'
import type { OrganizationLists } from '../store/organization/organization-lists.js'
import type { UserRow } from '../store/users/users.js'
import { AlertWords } from '../text/alert-words.js'
import { cleanName } from '../text/clean-name.js'
import { looksInAnyCase, skeleton } from '../text/looks.js'
import { CustomEmojiList } from './custom-emoji-list.js'
import { Derived } from './derived.js'
import { Freshness } from './freshness.js'
import { LinkifierList } from './linkifier-list.js'
import { LookAlikes } from './look-alikes.js'

/** Rows of one version. */
export interface WrittenRows {
  readonly users?: readonly UserRow[]
  readonly groups?: readonly GroupRow[]
  readonly channels?: readonly ChannelRow[]
}

/**
 * The organization's settings, users, groups, channels, linkifiers, playgrounds, domains and emoji, without subscriptions.
 *
 * Source: the rows of these tables.
 * Version: `organization.version`, which names the commit that it shows; `fresh` brings it to the newest one (freshness.ts), and `hold` locks it.
 * Bound: the size of the organization.
 * Dropped: a row by its next version, or by `directory_removals` when it is deleted.
 */
export class Directory {
  organization!: OrganizationRow
  readonly users = new Map<number, UserRow>()
  readonly groups = new Map<number, GroupRow>()
  readonly channels = new Map<number, ChannelRow>()
  linkifiers = new LinkifierList(0, [])
  lists: OrganizationLists = { version: 0, playgrounds: [], domains: [] }
  customEmoji = new CustomEmojiList()
  /** The alert words of all users. */
  readonly alertWords = new AlertWords()
  /** By the real email address in lower case. */
  readonly usersByEmail = new Map<string, UserRow>()
  readonly usersByApiKey = new Map<string, UserRow>()
  /** By the full name in lower case. */
  readonly usersByName = new Map<string, UserRow[]>()
  /** By the exact name: two group names may differ only in letter case. */
  readonly groupsByName = new Map<string, GroupRow>()
  readonly channelsByName = new Map<string, ChannelRow>()
  private readonly channelLooks = new LookAlikes(
    () => this.channels.values(),
    channel => looksInAnyCase(channel.name),
  )
  private readonly groupLooks = new LookAlikes(
    () => this.groups.values(),
    group => (group.name === null ? [] : [skeleton(group.name)]),
  )
  private readonly userLooks = new LookAlikes(
    () => this.users.values(),
    user => looksInAnyCase(user.full_name),
  )
  /** Rises with every refresh that changed something, and so invalidates values that are derived from the directory. */
  generation = 0

  private readonly inferred = new Map<unknown, { readonly generation: number; readonly value: unknown }>()
  /** Values that depend only on one of its rows, or on another object that never changes. */
  readonly ofRows = new Derived()
  private readonly freshness: Freshness

  constructor(
    private readonly sql: Sql,
    /** Whether this server admits spectators, if the organization admits them too. */
    readonly webPublicChannels = true,
    /** Whether a recall of another worker would include this one for `forMs` ms. */
    isReachable: (forMs: number) => boolean = () => false,
  ) {
    const update = async (version: number) => {
      if (version !== this.version) await this.catchUp(sql, this.version)
    }
    this.freshness = new Freshness(() => readVersions(sql), update, isReachable)
  }

  get version(): number {
    return this.organization.version
  }

  /**
   * A value that depends only on the directory, computed once per generation. `make` is the cache key, so it is a function of a module. It
   * gets the last value, of an earlier generation, and may return it again.
   */
  derived<T>(make: (directory: Directory, last: T | undefined) => T): T {
    const { generation } = this
    const last = this.inferred.get(make)
    if (last?.generation === generation) return last.value as T
    const value = make(this, last?.value as T | undefined)
    this.inferred.set(make, { generation, value })
    return value
  }

  /** The channel with this name in any letter case, either exactly as stored or after the cleaning that new names get. */
  channelNamed(name: string): ChannelRow | undefined {
    return this.channelsByName.get(name.trim().toLowerCase()) ?? this.channelsByName.get(cleanName(name).toLowerCase())
  }

  /** The users with this full name, compared as in `channelNamed`. */
  usersNamed(name: string): readonly UserRow[] {
    return this.usersByName.get(name.toLowerCase()) ?? this.usersByName.get(cleanName(name).toLowerCase()) ?? []
  }

  /** A channel other than `ownId` whose name looks like this one. */
  channelLike(name: string, ownId: number | null): ChannelRow | undefined {
    return this.channelLooks.find(looksInAnyCase(name), ownId)
  }

  /** A group, as `channelLike`, but letter case counts. */
  groupLike(name: string, ownId: number | null): GroupRow | undefined {
    return this.groupLooks.find([skeleton(name)], ownId)
  }

  /** A user, as `channelLike`, of those that `counts` accepts. */
  userLike(fullName: string, ownId: number | null, counts?: (user: UserRow) => boolean): UserRow | undefined {
    return this.userLooks.find(looksInAnyCase(fullName), ownId, counts)
  }

  async load(): Promise<void> {
    await this.catchUp(this.sql, 0)
  }

  /** Resolves when the directory shows every commit that preceded the call. */
  fresh(): Promise<void> {
    return this.freshness.fresh()
  }

  /** Gives up the lease of `fresh`, because a transaction is about to commit a change. */
  recall(): void {
    this.freshness.recall()
  }

  /** The newest version of lists of channels (channel-lists.ts), as current as the directory after `fresh`. */
  get listsVersion(): number {
    return this.freshness.listsVersion
  }

  /**
   * Locks the organization in a transaction, before its first change: until the end of the transaction no other transaction changes
   * the organization, and the directory shows its exact state. `share`: other transactions may hold it in this mode, too. `change`:
   * for a transaction that will call bumpVersion. `channelIds`: channels that are locked after the organization, in the same statement.
   */
  async hold(tx: Tx, mode: 'share' | 'change', channelIds: readonly number[] = []): Promise<readonly HeldChannel[]> {
    const { version, channels } = await lockVersionAndChannels(tx, mode, channelIds)
    await this.heldAt(tx, version)
    return channels
  }

  /** As `hold`, for a statement of the transaction that has locked this version of the organization. */
  async heldAt(tx: Tx, version: number): Promise<void> {
    if (version !== this.version) await this.catchUp(tx, this.version)
  }

  /**
   * Shows rows that a transaction of this worker has written and committed, without reading them. They are all that the transaction
   * changed in the directory, which it held for a change. Rows of other versions are left to `fresh`.
   */
  adopt({ users = [], groups = [], channels = [] }: WrittenRows): void {
    const [{ version } = { version: 0 }] = [...users, ...groups, ...channels]
    if (version !== this.version + 1) return
    for (const user of users) this.putUser(user)
    for (const group of groups) this.putGroup(group)
    for (const channel of channels) this.putChannel(channel)
    this.organization = { ...this.organization, version }
    this.generation++
  }

  /**
   * A copy of the directory with these rows applied, to compute before the commit which users gain and lose access. The preview is
   * valid until this directory changes, so during the transaction that holds it.
   */
  preview(rows: {
    organization?: OrganizationRow
    users?: readonly UserRow[]
    groups?: readonly GroupRow[]
    channels?: readonly ChannelRow[]
  }): Directory {
    const after = new Directory(this.sql, this.webPublicChannels)
    after.organization = rows.organization ?? this.organization
    after.linkifiers = this.linkifiers
    after.lists = this.lists
    after.customEmoji = this.customEmoji
    for (const [kind, names] of mapsOf) {
      for (const name of names) {
        // Maps without changed rows are shared, because a copy would cost time for every unchanged user.
        if (rows[kind]) copyInto<unknown, unknown>(after[name], this[name])
        else Object.assign(after, { [name]: this[name] })
      }
    }
    for (const user of rows.users ?? []) after.putUser(user)
    for (const group of rows.groups ?? []) after.putGroup(group)
    for (const channel of rows.channels ?? []) after.putChannel(channel)
    return after
  }

  private async catchUp(sql: ISql, after: number): Promise<void> {
    const changed = await directoryChangesAfter(sql, after)
    const [organization] = changed.organization
    if (!organization) throw new Error('the schema has no organization row')
    // Two calls can overlap. What an older one has read is known, and may have been removed since.
    if (this.organization && organization.version < this.version) return
    for (const user of newer(this.users, changed.user)) this.putUser(user)
    for (const group of newer(this.groups, changed.group)) this.putGroup(group)
    for (const channel of newer(this.channels, changed.channel)) this.putChannel(channel)
    const [linkifiers] = changed.linkifiers
    if (linkifiers && linkifiers.version > this.linkifiers.version) {
      this.linkifiers = new LinkifierList(linkifiers.version, linkifiers.linkifiers)
    }
    const [lists] = changed.lists
    if (lists && lists.version > this.lists.version) this.lists = lists
    this.customEmoji.put(changed.emoji)
    for (const removed of changed.removed) this.remove(removed)
    this.organization = organization
    this.generation++
  }

  private remove({ kind, id }: RemovedRow): void {
    if (kind === 'user') this.removeUser(id)
    else if (kind === 'group') this.removeGroup(id)
    else if (kind === 'channel') this.removeChannel(id)
    else this.customEmoji.remove(id)
  }

  private removeUser(id: number): void {
    const before = this.users.get(id)
    if (!before) return
    this.forgetNames(before)
    this.users.delete(id)
    this.alertWords.change(id, before.alert_words, [])
    this.userLooks.remove(before)
  }

  private removeGroup(id: number): void {
    const before = this.groups.get(id)
    if (!before) return
    if (before.name) forget(this.groupsByName, before.name, id)
    this.groups.delete(id)
    this.groupLooks.remove(before)
  }

  private removeChannel(id: number): void {
    const before = this.channels.get(id)
    if (!before) return
    forget(this.channelsByName, before.name.toLowerCase(), id)
    this.channels.delete(id)
    this.channelLooks.remove(before)
  }

  private forgetNames(before: UserRow): void {
    forget(this.usersByEmail, before.delivery_email.toLowerCase(), before.id)
    this.usersByApiKey.delete(before.api_key)
    const name = before.full_name.toLowerCase()
    const namesakes = this.usersByName.get(name)?.filter(one => one.id !== before.id)
    if (namesakes?.length) this.usersByName.set(name, namesakes)
    else this.usersByName.delete(name)
  }

  private putUser(user: UserRow): void {
    const before = this.users.get(user.id)
    if (before) this.forgetNames(before)
    this.users.set(user.id, user)
    this.alertWords.change(user.id, before?.alert_words ?? [], user.alert_words)
    this.userLooks.put(before, user)
    this.usersByEmail.set(user.delivery_email.toLowerCase(), user)
    this.usersByApiKey.set(user.api_key, user)
    const name = user.full_name.toLowerCase()
    this.usersByName.set(name, [...(this.usersByName.get(name) ?? []), user])
  }

  private putGroup(group: GroupRow): void {
    const before = this.groups.get(group.id)
    if (before?.name) forget(this.groupsByName, before.name, group.id)
    this.groups.set(group.id, group)
    this.groupLooks.put(before, group)
    if (group.name) this.groupsByName.set(group.name, group)
  }

  private putChannel(channel: ChannelRow): void {
    const before = this.channels.get(channel.id)
    if (before) forget(this.channelsByName, before.name.toLowerCase(), channel.id)
    this.channels.set(channel.id, channel)
    this.channelLooks.put(before, channel)
    this.channelsByName.set(channel.name.toLowerCase(), channel)
  }
}

const mapsOf = [
  ['users', ['users', 'usersByEmail', 'usersByApiKey', 'usersByName']],
  ['groups', ['groups', 'groupsByName']],
  ['channels', ['channels', 'channelsByName']],
] as const

/** Removes a name from an index, unless another row of the same refresh already has the name. */
function forget(index: Map<string, { readonly id: number }>, name: string, id: number): void {
  if (index.get(name)?.id === id) index.delete(name)
}

function copyInto<Key, Value>(copy: Map<Key, Value>, map: ReadonlyMap<Key, Value>): void {
  for (const [key, value] of map) copy.set(key, value)
}

/** The rows that are not older than the known ones. */
function newer<Row extends { id: number; version: number }>(
  known: ReadonlyMap<number, Row>,
  rows: readonly Row[],
): readonly Row[] {
  return rows.filter(row => row.version >= (known.get(row.id)?.version ?? 0))
}
