import type { Ctx } from '../../ctx.js'
import { type FoundFile, findFiles } from '../../lookups/find-file.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import type { ISql } from '../../store/driver/db.js'
import { readWebsites } from '../../store/files/websites.js'
import { beginQuickRendering, type Rendered } from '../../text/markdown.js'
import type { Names } from '../../text/names.js'
import { pathsIn, type UploadedFile } from '../../text/uploaded-files.js'
import { pictureOf } from '../files/picture-of.js'
import { channelReferences } from './channel-references.js'
import { namesFor } from './names.js'

export interface RenderedFor extends Rendered {
  /** Linked websites of which nothing is known yet; a worker reads them (read-websites.ts). */
  readonly unreadWebsites: readonly string[]
  /** Ids of the files that the message uses: those that its author may read (docs/protocol/files.md#use). */
  readonly attachmentIds: readonly number[]
  /** Those of them that are pictures without thumbnails, which the HTML shows as placeholders. */
  readonly awaitedPictures: readonly number[]
}

interface TextOf {
  readonly authorId: number
  readonly content: string
  /** Null: the text belongs to no channel. */
  readonly channelId: number | null
  readonly isStored?: boolean
}

/**
 * Renders a text for its author: names of channels become links, and files are shown, only if the author may read them. A text with
 * `isStored: false` shows no linked websites, because they tell that another user has linked them.
 * @throws {ApiError} SERVER_NOT_READY if too many long texts are being rendered.
 */
export async function renderFor(
  ctx: Ctx,
  sql: ISql,
  { authorId, content, channelId, isStored = true }: TextOf,
): Promise<RenderedFor> {
  // A guest with limited access mentions only users that it sees.
  const author = ctx.directory.users.get(authorId) ?? null
  const known = content.includes('@') ? await accessibleUsers(sql, ctx.directory, author) : null
  const channels = await channelReferences(ctx, sql, { author, content, ownChannelId: channelId })
  const paths = pathsIn(content)
  const found = paths.length === 0 ? [] : await findFiles(ctx, sql, author, paths)
  const files = new Map(found.filter(file => file.isReadable).map(file => [file.path_id, file]))
  const names = namesFor(ctx, author, { channels, files: mapValues(files, shownFile), known })
  const { rendered, unread } = isStored
    ? await withWebsites(ctx, sql, content, names)
    : { rendered: await renderWith(ctx, content, names), unread: [] }
  const used = rendered.files.flatMap(path => files.get(path) ?? [])
  return {
    ...rendered,
    attachmentIds: used.map(file => file.id),
    awaitedPictures: used.filter(file => pictureOf(file)?.isReady === false).map(file => file.id),
    unreadWebsites: unread,
  }
}

/** Rendering finds the links, so a text that links to websites which are known is rendered a second time. */
async function withWebsites(
  ctx: Ctx,
  sql: ISql,
  content: string,
  names: Names,
): Promise<{ rendered: Rendered; unread: readonly string[] }> {
  const rendered = await renderWith(ctx, content, names)
  if (rendered.websites.length === 0) return { rendered, unread: [] }
  const known = await readWebsites(sql, rendered.websites)
  const unread = rendered.websites.filter(url => !known.has(url))
  if (![...known.values()].some(website => website !== null)) return { rendered, unread }
  const website = (url: string) => known.get(url) ?? undefined
  return { rendered: await renderWith(ctx, content, { ...names, website }), unread }
}

/** Renders a text with these names; threads render long texts, formulas and code. @throws {ApiError} SERVER_NOT_READY */
export async function renderWith({ renderThreads, directory }: Ctx, content: string, names: Names): Promise<Rendered> {
  const quick = beginQuickRendering(content, names)
  if (!quick) return renderThreads.renderText(content, names, directory.linkifiers.all)
  return quick.finish(quick.parts.length === 0 ? [] : await renderThreads.render(quick.parts))
}

const shownFile = (file: FoundFile): UploadedFile => ({ type: file.content_type, picture: pictureOf(file) })

const mapValues = <V, W>(map: ReadonlyMap<string, V>, change: (value: V) => W): Map<string, W> =>
  new Map([...map].map(([key, value]) => [key, change(value)]))
