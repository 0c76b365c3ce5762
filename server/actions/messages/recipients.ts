import { ApiError, badRequest } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { findUserByEmail } from '../../lookups/find-user.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import { realmSetting } from '../../policies/settings.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { ISql } from '../../store/driver/db.js'
import { topicExists } from '../../store/topics/topics.js'
import type { UserRow } from '../../store/users/users.js'
import { checkTopic } from '../../text/content.js'

export interface ToChannel {
  readonly channel: number | string
  readonly topic: string
}

/** The destination of a message as its sender names it. */
export type To = ToChannel | { readonly people: readonly number[] | readonly string[] }

/** @throws {ApiError} STREAM_DOES_NOT_EXIST with the given name or id. */
export function channelNamed({ directory }: Ctx, nameOrId: number | string): ChannelRow {
  if (typeof nameOrId === 'number') {
    const channel = directory.channels.get(nameOrId)
    if (channel) return channel
    throw new ApiError('STREAM_DOES_NOT_EXIST', `Channel with ID '${nameOrId}' does not exist`, { stream_id: nameOrId })
  }
  const channel = directory.channelNamed(nameOrId)
  if (channel) return channel
  throw new ApiError('STREAM_DOES_NOT_EXIST', `Channel '${nameOrId}' does not exist`, { stream: nameOrId })
}

/**
 * A topic name in its stored form. `uncut`: the name before it was cut, if it was too long. `older`: the form in which a topic of this name may have been stored
 * before names were cleaned.
 */
interface GivenTopic {
  readonly text: string
  readonly uncut?: string
  readonly older?: string
}

/** @throws {ApiError} BAD_REQUEST */
export function readTopic({ directory }: Ctx, given: string): GivenTopic {
  const checked = checkTopic(given, realmSetting(directory, 'empty_topic_display_name'))
  if (!checked.ok) throw badRequest('Invalid character in topic')
  return checked
}

/** The stored name of the topic: the older form if the channel has messages under it. */
export async function storedTopic(sql: ISql, channelId: number, { text, older }: GivenTopic): Promise<string> {
  return older !== undefined && (await topicExists(sql, channelId, older)) ? older : text
}

/** readTopic and storedTopic together. @throws {ApiError} BAD_REQUEST */
export function topicOf(ctx: Ctx, channelId: number, given: string): Promise<string> {
  return storedTopic(ctx.sql, channelId, readTopic(ctx, given))
}

// A conversation is looked up by the list of its participants, and an index entry has room for some six hundred.
const mostPeople = budgets.recipients.most

/**
 * All participants of a conversation, the sender included; ascending. An unknown user and one that the sender may not see cause the same
 * error, because a guest must not find out which users exist. @throws {ApiError} BAD_REQUEST
 */
export async function participantsOf(
  ctx: Ctx,
  sql: ISql,
  sender: UserRow,
  people: readonly number[] | readonly string[],
): Promise<UserRow[]> {
  if (people.length === 0) throw badRequest('Message must have recipients')
  const known = await accessibleUsers(sql, ctx.directory, sender)
  const users = new Map<number, UserRow>()
  for (const one of people) {
    const user =
      typeof one === 'number'
        ? ctx.directory.users.get(one)
        : findUserByEmail(ctx.directory, sender, one, ctx.realmHost)
    if (!user || (known && !known.has(user.id))) {
      throw badRequest(typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`)
    }
    if (!user.is_active) throw badRequest(`'${user.full_name}' is no longer using this organization.`)
    users.set(user.id, user)
  }
  users.set(sender.id, sender)
  if (users.size > mostPeople) throw badRequest(`A conversation has at most ${mostPeople} people.`)
  return [...users.values()].sort((a, b) => a.id - b.id)
}
