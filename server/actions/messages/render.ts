import type { Ctx } from '../../ctx.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import type { ISql } from '../../store/db.js'
import { activeSubscriptionsAmong } from '../../store/received.js'
import { beginRendering, type Rendered } from '../../text/markdown.js'
import { namesFor, privateChannelsNamed } from './names.js'

/** Renders a text for its author: names of private channels become links only if the author is subscribed. */
export async function renderFor(
  ctx: Ctx,
  sql: ISql,
  authorId: number,
  content: string,
  channelId: number | null,
): Promise<Rendered> {
  // A guest with limited access mentions only users that it sees.
  const author = ctx.directory.users.get(authorId) ?? null
  const known = content.includes('@') ? await accessibleUsers(sql, ctx.directory, author) : null
  const named = privateChannelsNamed(ctx, content).filter(id => id !== channelId)
  const own = named.length > 0 ? await activeSubscriptionsAmong(sql, authorId, named) : []
  const names = namesFor(ctx, author, { ownChannels: new Set(channelId === null ? own : [...own, channelId]), known })
  const { parts, finish } = beginRendering(content, names)
  return finish(parts.length === 0 ? [] : await ctx.renderThreads.render(parts))
}
