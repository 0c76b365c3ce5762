import { isDeepStrictEqual } from 'node:util'
import { badRequest } from '../../../shared/errors.js'
import { channelFolderAdd, channelFolderReorder, channelFolderUpdate } from '../../../shared/events/channel-folder.js'
import type { ChannelFolder } from '../../../shared/resources/channel-folder.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { administrators } from '../../policies/allow.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import {
  folderHasChannels,
  insertChannelFolder,
  orderChannelFolders,
  readChannelFolders,
  updateChannelFolder,
} from '../../store/channels/channel-folders.js'
import type { Tx } from '../../store/driver/db.js'
import { renderDescription } from '../descriptions.js'

/** Creates a folder after the existing ones; returns its id. @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export function createFolder(
  ctx: Ctx,
  actor: Actor,
  { name, description }: Pick<ChannelFolder, 'name' | 'description'>,
): Promise<number> {
  return changeFolders(ctx, actor, async (tx, emit, folders) => {
    const { most } = budgets.channelFolders
    if (folders.length >= most) throw badRequest(`There may be at most ${most} channel folders.`)
    requireFreeName(folders, name)
    const rendered_description = renderDescription(ctx, description)
    const text = { name, description, rendered_description }
    const channel_folder = await insertChannelFolder(tx, text, actor.user.id)
    emit(channelFolderAdd, { channel_folder }, ctx.directory.derived(activeUsers))
    return channel_folder.id
  })
}

type FolderChange = Partial<Pick<ChannelFolder, 'name' | 'description' | 'is_archived'>>

/** An undefined field stays as it is; without a difference there is no event. @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export function changeFolder(ctx: Ctx, actor: Actor, id: number, change: FolderChange): Promise<void> {
  return changeFolders(ctx, actor, async (tx, emit, folders) => {
    const was = folders.find(folder => folder.id === id)
    if (!was) throw badRequest('Invalid channel folder ID')
    const name = change.name ?? was.name
    const is_archived = change.is_archived ?? was.is_archived
    const data = {
      ...(name !== was.name && { name }),
      ...(is_archived !== was.is_archived && { is_archived }),
      ...(change.description !== undefined &&
        change.description !== was.description && {
          description: change.description,
          rendered_description: renderDescription(ctx, change.description),
        }),
    }
    if (Object.keys(data).length === 0) return
    if (!is_archived) {
      requireFreeName(
        folders.filter(folder => folder !== was),
        name,
      )
    }
    if (data.is_archived && (await folderHasChannels(tx, id))) {
      throw badRequest('Remove all channels from this folder before you archive it.')
    }
    await updateChannelFolder(tx, id, { ...was, ...data })
    emit(channelFolderUpdate, { channel_folder_id: id, data }, ctx.directory.derived(activeUsers))
  })
}

/** `order` contains every folder once, archived ones included. @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export function reorderFolders(ctx: Ctx, actor: Actor, order: readonly number[]): Promise<void> {
  return changeFolders(ctx, actor, async (tx, emit, folders) => {
    const given = new Set(order)
    const isWhole = order.length === folders.length && folders.every(folder => given.has(folder.id))
    if (!isWhole) throw badRequest('The order must contain each channel folder exactly once.')
    const isSame = isDeepStrictEqual(
      order,
      folders.map(folder => folder.id),
    )
    if (isSame && folders.every((folder, position) => folder.order === position)) return
    await orderChannelFolders(tx, order)
    emit(channelFolderReorder, { order }, ctx.directory.derived(activeUsers))
  })
}

/**
 * Runs one change at a time: it holds the organization, like each change that puts a channel into a folder. `change` gets the present folders,
 * archived ones included. @throws {ApiError} UNAUTHORIZED_PRINCIPAL
 */
function changeFolders<T>(
  ctx: Ctx,
  actor: Actor,
  change: (tx: Tx, emit: Emit, folders: readonly ChannelFolder[]) => Promise<T>,
): Promise<T> {
  const { directory } = ctx
  return ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    administrators({ ...actor, user: currentUser(directory, actor.user) })
    return change(tx, emit, await readChannelFolders(tx))
  })
}

/** Names differ among folders that are not archived, ignoring case. */
function requireFreeName(others: readonly ChannelFolder[], name: string): void {
  const isTaken = others.some(one => !one.is_archived && one.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw badRequest(`Channel folder '${name}' already exists.`)
}
