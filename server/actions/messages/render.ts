import type { Ctx } from '../../ctx.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import type { ISql } from '../../store/db.js'
import { beginRendering, type Rendered } from '../../text/markdown.js'
import { channelReferences } from './channel-references.js'
import { namesFor } from './names.js'

/** Renders a text for its author: names of channels become links only if the author may read them. */
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
  const channels = await channelReferences(ctx, sql, author, content, channelId)
  const names = namesFor(ctx, author, { channels, known })
  const { parts, finish } = beginRendering(content, names)
  return finish(parts.length === 0 ? [] : await ctx.renderThreads.render(parts))
}
