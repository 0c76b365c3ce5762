import { isDeepStrictEqual } from 'node:util'
import { badRequest } from '../../../shared/errors.js'
import { defaultStreamGroups } from '../../../shared/events/default-stream-groups.js'
import type { DefaultChannelGroup } from '../../../shared/resources/default-channel-group.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { administrators } from '../../policies/allow.js'
import { audienceOfDefaultChannels, mayBeOffered } from '../../policies/default-channels.js'
import {
  deleteDefaultChannelGroup,
  insertDefaultChannelGroup,
  readDefaultChannelGroups,
  updateDefaultChannelGroup,
} from '../../store/channels/default-channel-groups.js'
import type { Tx } from '../../store/driver/db.js'

type GroupText = Pick<DefaultChannelGroup, 'name' | 'description'>
type Groups = readonly DefaultChannelGroup[]

/** @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export function createDefaultGroup(
  ctx: Ctx,
  actor: Actor,
  { name, description }: GroupText,
  channelNames: readonly string[],
): Promise<void> {
  return changeGroups(ctx, actor, async (tx, groups) => {
    const { most } = budgets.defaultChannelGroups
    if (groups.length >= most) throw badRequest(`There may be at most ${most} groups of default channels.`)
    requireFreeName(groups, name)
    const streams = offeredChannels(ctx.directory, channelNames)
    return [...groups, await insertDefaultChannelGroup(tx, { name, description, streams: ascending(streams) })]
  })
}

/** An undefined field stays as it is. @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export function changeDefaultGroup(ctx: Ctx, actor: Actor, id: number, change: Partial<GroupText>): Promise<void> {
  return changeGroups(ctx, actor, async (tx, groups) => {
    const was = existing(groups, id)
    const name = change.name ?? was.name
    requireFreeName(
      groups.filter(group => group !== was),
      name,
    )
    return replaced(tx, groups, { ...was, name, description: change.description ?? was.description })
  })
}

/** @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export function removeDefaultGroup(ctx: Ctx, actor: Actor, id: number): Promise<void> {
  return changeGroups(ctx, actor, async (tx, groups) => {
    const gone = existing(groups, id)
    await deleteDefaultChannelGroup(tx, gone.id)
    return groups.filter(group => group !== gone)
  })
}

/** Adds channels that are not in the group, or removes ones that are. @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export function changeDefaultGroupChannels(
  ctx: Ctx,
  actor: Actor,
  id: number,
  { op, channelNames }: { readonly op: 'add' | 'remove'; readonly channelNames: readonly string[] },
): Promise<void> {
  return changeGroups(ctx, actor, async (tx, groups) => {
    const group = existing(groups, id)
    const present = new Set(group.streams)
    if (op === 'add') {
      for (const channelId of offeredChannels(ctx.directory, channelNames)) {
        if (present.has(channelId)) throw badRequest('A channel is already in the group.')
        present.add(channelId)
      }
    } else {
      for (const name of channelNames) {
        const channel = ctx.directory.channelNamed(name)
        if (!channel || !present.delete(channel.id)) throw badRequest(`Channel '${name}' is not in the group.`)
      }
    }
    return replaced(tx, groups, { ...group, streams: ascending(present) })
  })
}

/** Stores a changed group; returns all groups. */
async function replaced(tx: Tx, groups: Groups, changed: DefaultChannelGroup): Promise<Groups> {
  await updateDefaultChannelGroup(tx, changed)
  return groups.map(group => (group.id === changed.id ? changed : group))
}

/**
 * Runs one change at a time, and emits the whole list if it differs. `change` returns the groups after it.
 * @throws {ApiError} UNAUTHORIZED_PRINCIPAL
 */
function changeGroups(ctx: Ctx, actor: Actor, change: (tx: Tx, groups: Groups) => Promise<Groups>): Promise<void> {
  const { directory } = ctx
  return ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    administrators({ ...actor, user: currentUser(directory, actor.user) })
    // As copies: `isDeepStrictEqual` tells rows of the driver from other objects.
    const before = (await readDefaultChannelGroups(tx)).map(group => ({ ...group }))
    const after = await change(tx, before)
    if (isDeepStrictEqual(before, after)) return
    emit(defaultStreamGroups, { default_stream_groups: [...after] }, audienceOfDefaultChannels(directory))
  })
}

function existing(groups: Groups, id: number): DefaultChannelGroup {
  const group = groups.find(one => one.id === id)
  if (!group) throw badRequest(`Default channel group with id '${id}' does not exist.`)
  return group
}

/** Names differ, ignoring case. */
function requireFreeName(others: Groups, name: string): void {
  if (others.some(group => group.name.toLowerCase() === name.toLowerCase())) {
    throw badRequest(`Default channel group '${name}' already exists.`)
  }
}

function offeredChannels(directory: Directory, names: readonly string[]): number[] {
  const channels = names.map(name => {
    const channel = directory.channelNamed(name)
    if (!channel || !mayBeOffered(channel)) throw badRequest(`Invalid channel name '${name}'`)
    if (channel.is_default) {
      throw badRequest(`'${channel.name}' is a default channel and cannot be in a group of default channels.`)
    }
    return channel.id
  })
  return [...new Set(channels)]
}

const ascending = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b)
