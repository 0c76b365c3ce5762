import type { Ctx } from '../../ctx.js'
import { type FoundFile, findFiles } from '../../lookups/find-file.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import type { ISql } from '../../store/db.js'
import { beginRendering, type Rendered } from '../../text/markdown.js'
import { pathsIn, type UploadedFile } from '../../text/uploaded-files.js'
import { pictureOf } from '../files/picture-of.js'
import { channelReferences } from './channel-references.js'
import { namesFor } from './names.js'

export interface RenderedFor extends Rendered {
  /** Ids of the files that the message uses: those that its author may read (docs/protocol/files.md#use). */
  readonly attachmentIds: readonly number[]
}

/** Renders a text for its author: names of channels become links, and files are shown, only if the author may read them. */
export async function renderFor(
  ctx: Ctx,
  sql: ISql,
  authorId: number,
  content: string,
  channelId: number | null,
): Promise<RenderedFor> {
  // A guest with limited access mentions only users that it sees.
  const author = ctx.directory.users.get(authorId) ?? null
  const known = content.includes('@') ? await accessibleUsers(sql, ctx.directory, author) : null
  const channels = await channelReferences(ctx, sql, author, content, channelId)
  const paths = pathsIn(content)
  const found = paths.length === 0 ? [] : await findFiles(ctx, sql, author, paths)
  const files = new Map(found.filter(file => file.isReadable).map(file => [file.path_id, file]))
  const names = namesFor(ctx, author, { channels, files: mapValues(files, shownFile), known })
  const { parts, finish } = beginRendering(content, names)
  const rendered = finish(parts.length === 0 ? [] : await ctx.renderThreads.render(parts))
  return { ...rendered, attachmentIds: rendered.files.flatMap(path => files.get(path)?.id ?? []) }
}

const shownFile = (file: FoundFile): UploadedFile => ({ type: file.content_type, picture: pictureOf(file) })

const mapValues = <V, W>(map: ReadonlyMap<string, V>, change: (value: V) => W): Map<string, W> =>
  new Map([...map].map(([key, value]) => [key, change(value)]))
