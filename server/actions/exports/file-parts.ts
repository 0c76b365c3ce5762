import { stillPath } from '../../presenters/custom-emoji.js'
import { type ExportedFile, exportedFiles } from '../../store/exports/exported-files.js'
import { pictureKey } from '../pictures/stored-picture.js'
import { type ArchivePart, type ArchivePlace, type ExportWork, filePart, jsonArray } from './archive-part.js'
import { paddingOf, tarHead } from './tar.js'

// Of a part with uploaded files; a larger file is a part of its own.
const bytesTogether = 64 * 1024 * 1024
const filesTogether = 500

/** The table of uploaded files. */
export function attachmentPart(work: ExportWork, place: ArchivePlace): ArchivePart {
  const { ctx, scope } = work
  async function* texts(): AsyncGenerator<string> {
    for await (const { text } of exportedFiles(ctx.sql, scope, 0)) yield text
  }
  async function* chunks(): AsyncGenerator<string> {
    yield '{"zerver_attachment": '
    yield* jsonArray(texts())
    yield '}\n'
  }
  return filePart(work, 'attachment.json', chunks(), () => ({ ...place, step: 'uploads', after: 0 }))
}

/** The bytes of some uploaded files. */
export function uploadPart(work: ExportWork, place: ArchivePlace): ArchivePart {
  const { ctx, scope } = work
  let next = place
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let [bytes, count] = [0, 0]
    for await (const file of exportedFiles(ctx.sql, scope, place.after)) {
      if (bytes >= bytesTogether || count >= filesTogether) return
      if (file.is_new) {
        const isStored = yield* bytesOf(work, file)
        if (!isStored) next = { ...next, missing: [...next.missing, file.id] }
        bytes += file.size
        count++
      }
      next = { ...next, after: file.id }
    }
    next = { ...next, step: 'records' }
  }
  return { pieces: pieces(), head: () => new Uint8Array(), next: () => next }
}

/** False: the file has been removed since its row was read. */
async function* bytesOf({ ctx, directory }: ExportWork, file: ExportedFile): AsyncGenerator<Uint8Array, boolean> {
  const { path_id, size, created } = file
  const chunks = size === 0 ? [] : await ctx.storage.read(path_id, { start: 0, end: size - 1 })
  if (!chunks) return false
  yield tarHead({ name: `${directory}/uploads/${path_id}`, size, time: new Date(created * 1000) })
  let read = 0
  for await (const chunk of chunks) {
    read += chunk.length
    yield chunk
  }
  if (read !== size) throw new Error('a stored file has another size than its row says')
  yield paddingOf(size)
  return true
}

interface FileRecord {
  readonly userId: number | null
  /** Path in the folder, and in the store of files of the original format. */
  readonly path: string
  readonly size: number
  /** UNIX seconds. */
  readonly modified: number
  readonly type: string | null
}

const recordOf = ({ ctx }: ExportWork, { userId, path, size, modified, type }: FileRecord, more: object = {}): string =>
  JSON.stringify({
    realm_id: 1,
    user_profile_id: userId,
    user_profile_email: userId === null ? null : `user${userId}@${ctx.realmHost}`,
    s3_path: path,
    path,
    size,
    last_modified: modified,
    content_type: type,
    ...more,
  })

/** The records of the uploaded files. */
export function recordPart(work: ExportWork, place: ArchivePlace): ArchivePart {
  async function* records(): AsyncGenerator<string> {
    for await (const file of exportedFiles(work.ctx.sql, work.scope, 0)) {
      if (!file.is_new || place.missing.includes(file.id)) continue
      const { user_id: userId, path_id: path, size, created: modified, content_type: type } = file
      yield recordOf(work, { userId, path, size, modified, type })
    }
  }
  const next = { ...place, step: 'pictures', after: 0 } as const
  return filePart(work, 'uploads/records.json', jsonArray(records()), () => next)
}

interface Picture {
  /** In the store of files. */
  readonly key: string
  /** In the folder. */
  readonly path: string
  readonly userId: number | null
  readonly type: string | null
  readonly more?: object
}

/** Pictures of people, custom emoji, and the organization's: a folder each, with its records. */
export function picturePart(work: ExportWork, place: ArchivePlace): ArchivePart {
  const { ctx } = work
  async function* pieces(): AsyncGenerator<string | Uint8Array> {
    await ctx.directory.fresh()
    for (const [folder, pictures] of Object.entries(picturesOf(work))) yield* folderOf(work, folder, pictures)
  }
  return { pieces: pieces(), head: () => new Uint8Array(), next: () => ({ ...place, step: 'tables' }) }
}

async function* folderOf(
  work: ExportWork,
  folder: string,
  pictures: Iterable<Picture>,
): AsyncGenerator<string | Uint8Array> {
  const { ctx, directory, row } = work
  const records: string[] = []
  const time = row.requested
  for (const { key, path, userId, type, more } of pictures) {
    const bytes = await ctx.storage.readWhole(pictureKey(key))
    if (!bytes) continue
    yield tarHead({ name: `${directory}/${folder}/${path}`, size: bytes.length, time })
    yield bytes
    yield paddingOf(bytes.length)
    const modified = Math.floor(time.getTime() / 1000)
    records.push(recordOf(work, { userId, path, size: bytes.length, modified, type }, more))
  }
  const text = Buffer.from(`[\n${records.join(',\n')}\n]`)
  yield tarHead({ name: `${directory}/${folder}/records.json`, size: text.length, time })
  yield text
  yield paddingOf(text.length)
}

function picturesOf(work: ExportWork): Record<string, Iterable<Picture>> {
  if (work.scope.person) return { avatars: avatars(work) }
  return { avatars: avatars(work), emoji: emoji(work), realm_icons: organizationPictures(work) }
}

const png = 'image/png'

function* avatars({ ctx: { directory }, scope: { person } }: ExportWork): Iterable<Picture> {
  for (const user of byId(directory.users.values())) {
    if (user.avatar_path === null || (person && person.id !== user.id)) continue
    const common = { userId: user.id, type: png, more: { avatar_version: user.avatar_version } }
    yield { ...common, key: `${user.avatar_path}-medium.png`, path: `${user.avatar_path}.original` }
    yield { ...common, key: `${user.avatar_path}.png`, path: `${user.avatar_path}.png` }
  }
}

function* emoji({ ctx: { directory } }: ExportWork): Iterable<Picture> {
  for (const { id, name, author_id, path, is_animated, deactivated } of byId(directory.customEmoji.all())) {
    const file = path.slice(path.lastIndexOf('/') + 1)
    const more = { name, file_name: file, author: author_id, deactivated, emoji: id }
    yield { key: path, path: `1/emoji/images/${file}`, userId: author_id, type: null, more }
    if (is_animated) {
      yield { key: stillPath(path), path: `1/emoji/images/still/${file}`, userId: author_id, type: null, more }
    }
  }
}

function* organizationPictures({ ctx: { directory } }: ExportWork): Iterable<Picture> {
  for (const [kind, picture] of Object.entries(directory.organization.pictures)) {
    if (picture?.path) yield { key: `${picture.path}.png`, path: `1/${kind}.png`, userId: null, type: png }
  }
}

const byId = <Row extends { readonly id: number }>(rows: Iterable<Row>): Row[] => [...rows].sort((a, b) => a.id - b.id)
