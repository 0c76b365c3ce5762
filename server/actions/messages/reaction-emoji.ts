import { badRequest } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { required } from '../../params/conditions.js'
import type { ReactionRow, ReactionsWith } from '../../store/messages/reactions.js'
import { emojiByName, extraEmoji, isValidEmoji } from '../../text/emoji.js'

export interface NamedEmoji {
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type?: string
}

type Kind = ReactionRow['reaction_type']

/** The stored kind of a reaction type; on the wire the extra emoji's type contains the brand. @throws {ApiError} BAD_REQUEST */
function kindOf({ config }: Ctx, type: string): Kind {
  if (type === 'unicode_emoji' || type === 'realm_emoji') return type
  if (type === extraEmoji(config.wireBrand).reaction_type) return 'extra_emoji'
  throw badRequest('Invalid reaction_type')
}

/**
 * The emoji of a new reaction. An emoji that the message already has as a reaction is accepted under its stored name, without another check
 * (add_reaction).
 * @param given as `completed` returns it
 * @throws {ApiError} BAD_REQUEST for an unknown emoji, and for a further emoji when the message has as many as the budget allows.
 */
export function emojiToAdd(ctx: Ctx, present: ReactionsWith, given: ReactionRow): ReactionRow {
  const { reaction_type, emoji_code, emoji_name } = given
  if (present.emoji_name !== null) return { reaction_type, emoji_code, emoji_name: present.emoji_name }
  if (!isTrue(ctx, reaction_type, emoji_code, emoji_name)) throw unknownEmoji(emoji_name)
  if (present.emoji_count >= budgets.reactionEmoji.most) {
    throw badRequest(`A message has at most ${budgets.reactionEmoji.most} different emoji as reactions.`)
  }
  return given
}

/** An emoji that exists under this name. @throws {ApiError} BAD_REQUEST also if name, code and type are not those of one emoji */
export function existingEmoji(ctx: Ctx, given: NamedEmoji & { emoji_name: string }): ReactionRow {
  const emoji = completed(ctx, given)
  if (!isTrue(ctx, emoji.reaction_type, emoji.emoji_code, emoji.emoji_name)) throw unknownEmoji(emoji.emoji_name)
  return emoji
}

/** Looks up what the caller did not name. @throws {ApiError} BAD_REQUEST if that fails */
export function completed(ctx: Ctx, given: NamedEmoji & { emoji_name: string }): ReactionRow {
  const kind = given.reaction_type === undefined ? undefined : kindOf(ctx, given.reaction_type)
  const named = given.emoji_code === undefined || kind === undefined ? lookUp(ctx, given.emoji_name) : undefined
  const reaction_type = kind ?? named?.reaction_type
  const emoji_code = given.emoji_code ?? named?.emoji_code
  if (reaction_type === undefined || emoji_code === undefined) throw unknownEmoji(given.emoji_name)
  return { reaction_type, emoji_code, emoji_name: given.emoji_name }
}

/** The key of a reaction to remove: by code, or else by name. @throws {ApiError} BAD_REQUEST */
export function emojiToRemove(ctx: Ctx, given: NamedEmoji): Omit<ReactionRow, 'emoji_name'> {
  const kind = given.reaction_type === undefined ? undefined : kindOf(ctx, given.reaction_type)
  if (given.emoji_code !== undefined) return { reaction_type: kind ?? 'unicode_emoji', emoji_code: given.emoji_code }
  const name = required(given.emoji_name)
  const named = lookUp(ctx, name)
  if (!named) throw unknownEmoji(name)
  return { reaction_type: kind ?? named.reaction_type, emoji_code: named.emoji_code }
}

const unknownEmoji = (name: string) => badRequest(`Emoji '${name}' does not exist`)

/** Custom emoji hide the others. */
function lookUp(
  { config, directory }: Ctx,
  name: string,
): Pick<ReactionRow, 'reaction_type' | 'emoji_code'> | undefined {
  const custom = directory.customEmoji.active(name)
  if (custom) return { reaction_type: 'realm_emoji', emoji_code: String(custom.id) }
  const extra = extraEmoji(config.wireBrand)
  if (name === extra.emoji_name) return { reaction_type: 'extra_emoji', emoji_code: extra.emoji_code }
  const found = emojiByName(name)
  return found && { reaction_type: 'unicode_emoji', emoji_code: found.emoji_code }
}

/** Whether the emoji exists and has this name. */
function isTrue({ config, directory }: Ctx, kind: Kind, code: string, name: string): boolean {
  if (kind === 'realm_emoji') return String(directory.customEmoji.active(name)?.id) === code
  if (kind === 'unicode_emoji') return isValidEmoji(name, code)
  const extra = extraEmoji(config.wireBrand)
  return kind === 'extra_emoji' && name === extra.emoji_name && code === extra.emoji_code
}
