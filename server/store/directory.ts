import { cleanName } from '../text/clean-name.js'
import { looksInAnyCase, skeleton } from '../text/looks.js'
import { type ChannelRow, channelsChangedAfter } from './channels.js'
import type { Sql, Tx } from './db.js'
import { type GroupRow, groupsChangedAfter } from './groups.js'
import { LinkifierList, linkifiersChangedAfter } from './linkifiers.js'
import { LookAlikes } from './look-alikes.js'
import { lockVersion, type OrganizationRow, readOrganization, readVersion } from './organization.js'
import { type UserRow, usersChangedAfter } from './users.js'

/**
 * What every request needs to know of the organization, in memory: its settings, users, groups, channels and linkifiers (not
 * who is subscribed to what). As large as the organization, which is its bound. `version` says which commit it shows; `fresh`
 * brings it up to the newest commit at the price of one tiny query that concurrent requests share.
 */
export class Directory {
  organization!: OrganizationRow
  readonly users = new Map<number, UserRow>()
  readonly groups = new Map<number, GroupRow>()
  readonly channels = new Map<number, ChannelRow>()
  linkifiers = new LinkifierList(0, [])
  /** Lower-case real address to user. */
  readonly usersByEmail = new Map<string, UserRow>()
  readonly usersByApiKey = new Map<string, UserRow>()
  /** Lower-case full name to users. */
  readonly usersByName = new Map<string, UserRow[]>()
  /** By the name as it is spelled: names of groups may differ in case alone. */
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
  /** Rises with every refresh that changed something: what is derived from the directory is cached under it. */
  generation = 0

  private readonly inferred = new Map<unknown, unknown>()
  private inferredAt = -1
  private running: Promise<void> | undefined
  private queued: Promise<void> | undefined

  constructor(
    private readonly sql: Sql,
    /** Whether this server lets visitors without an account see anything, should the organization want it. */
    readonly webPublicChannels = true,
  ) {}

  get version(): number {
    return this.organization.version
  }

  /** What follows from the directory alone, made once per generation. `make` is the key. */
  derived<T>(make: (directory: Directory) => T): T {
    if (this.inferredAt !== this.generation) {
      this.inferred.clear()
      this.inferredAt = this.generation
    }
    if (!this.inferred.has(make)) this.inferred.set(make, make(this))
    return this.inferred.get(make) as T
  }

  /** The channel that a text names, whatever its case; spelled as it is stored or as a new name would be. */
  channelNamed(name: string): ChannelRow | undefined {
    return this.channelsByName.get(name.trim().toLowerCase()) ?? this.channelsByName.get(cleanName(name).toLowerCase())
  }

  /** The users of a name, as `channelNamed`. */
  usersNamed(name: string): readonly UserRow[] {
    return this.usersByName.get(name.toLowerCase()) ?? this.usersByName.get(cleanName(name).toLowerCase()) ?? []
  }

  /** A channel, other than the one of `ownId`, whose name could be mistaken for this one. */
  channelLike(name: string, ownId: number | null): ChannelRow | undefined {
    return this.channelLooks.find(looksInAnyCase(name), ownId)
  }

  /** A group, as `channelLike`; capitals and small letters differ. */
  groupLike(name: string, ownId: number | null): GroupRow | undefined {
    return this.groupLooks.find([skeleton(name)], ownId)
  }

  /** A user, as `channelLike`. */
  userLike(fullName: string, ownId: number | null): UserRow | undefined {
    return this.userLooks.find(looksInAnyCase(fullName), ownId)
  }

  async load(): Promise<void> {
    await this.pull(this.sql, 0)
  }

  /** After this the directory shows at least every commit that was there when it was called. */
  fresh(): Promise<void> {
    if (this.queued) return this.queued
    if (!this.running) return this.start()
    this.queued = this.running
      // Whoever waits for that one is told.
      .catch(() => {})
      .then(() => {
        this.queued = undefined
        return this.start()
      })
    return this.queued
  }

  private start(): Promise<void> {
    this.running = this.refresh().finally(() => {
      this.running = undefined
    })
    return this.running
  }

  private async refresh(): Promise<void> {
    if ((await readVersion(this.sql)) !== this.version) await this.pull(this.sql, this.version)
  }

  /**
   * In a transaction, before its first change: until it ends, nobody else changes the organization, and the directory
   * shows it exactly. `share`: others may hold it so too. `change`: for a transaction that will call bumpVersion.
   */
  async hold(tx: Tx, mode: 'share' | 'change'): Promise<void> {
    const version = await lockVersion(tx, mode)
    if (version !== this.version) await this.catchUp(tx, this.version)
  }

  /**
   * The directory as it will be once these rows are stored: for deciding, before the commit, who gains and who loses what.
   * This directory stays as it is; the preview is good until it changes, so for the transaction that holds it.
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
    for (const [kind, names] of mapsOf) {
      for (const name of names) {
        // What no row changes is shared: to copy it would be work for every user that the change does not touch.
        if (rows[kind]) copyInto<unknown, unknown>(after[name], this[name])
        else Object.assign(after, { [name]: this[name] })
      }
    }
    for (const user of rows.users ?? []) after.putUser(user)
    for (const group of rows.groups ?? []) after.putGroup(group)
    for (const channel of rows.channels ?? []) after.putChannel(channel)
    return after
  }

  private async pull(sql: Sql, after: number): Promise<void> {
    await sql.begin('isolation level repeatable read read only', tx => this.catchUp(tx, after))
  }

  private async catchUp(tx: Tx, after: number): Promise<void> {
    const [organization, users, groups, channels, linkifiers] = await Promise.all([
      readOrganization(tx),
      usersChangedAfter(tx, after),
      groupsChangedAfter(tx, after),
      channelsChangedAfter(tx, after),
      linkifiersChangedAfter(tx, after),
    ])
    // Two of these may overlap: whichever read the newer rows wins.
    for (const user of newer(this.users, users)) this.putUser(user)
    for (const group of newer(this.groups, groups)) this.putGroup(group)
    for (const channel of newer(this.channels, channels)) this.putChannel(channel)
    if (linkifiers && linkifiers.version > this.linkifiers.version) this.linkifiers = linkifiers
    if (!this.organization || organization.version >= this.version) this.organization = organization
    this.generation++
  }

  private putUser(user: UserRow): void {
    const before = this.users.get(user.id)
    if (before) {
      forget(this.usersByEmail, before.delivery_email.toLowerCase(), user.id)
      this.usersByApiKey.delete(before.api_key)
      const namesakes = this.usersByName.get(before.full_name.toLowerCase())?.filter(one => one.id !== user.id)
      if (namesakes?.length) this.usersByName.set(before.full_name.toLowerCase(), namesakes)
      else this.usersByName.delete(before.full_name.toLowerCase())
    }
    this.users.set(user.id, user)
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

/** Of several rows read at once, another one may have taken over the name already. */
function forget(index: Map<string, { readonly id: number }>, name: string, id: number): void {
  if (index.get(name)?.id === id) index.delete(name)
}

function copyInto<Key, Value>(copy: Map<Key, Value>, map: ReadonlyMap<Key, Value>): void {
  for (const [key, value] of map) copy.set(key, value)
}

function newer<Row extends { id: number; version: number }>(known: ReadonlyMap<number, Row>, rows: Row[]): Row[] {
  return rows.filter(row => row.version >= (known.get(row.id)?.version ?? 0))
}
