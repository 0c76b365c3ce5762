import { ApiError } from '../../../shared/errors.js'
import { displayName } from '../../actions/files/path-id.js'
import { whileReserved } from '../../actions/files/reserve-space.js'
import { contentTypeOf, insertStored, whileAnnounced } from '../../actions/files/store-upload.js'
import { headerOf } from '../../actions/files/thumbnails.js'
import { mostPictureBytes } from '../../actions/pictures/stored-picture.js'
import type { Ctx } from '../../ctx.js'
import { type ImportFile, setLost, setStored } from '../../store/imports/import-files.js'
import { textOf } from '../../store/messages/message-edits.js'
import { UnreadableEntry } from '../source.js'
import { setPicture } from './avatar.js'
import { lostLine, storedLine } from './content.js'
import { LostFile } from './download.js'
import { holdMessages, replaceLine } from './message-line.js'

/** The bytes of a file, as they arrive. */
export interface Arriving {
  /** '' if the source does not say. */
  readonly type: string
  /** As far as it is known, else 0. */
  readonly bytes: number
  /** @throws {LostFile}, {UnreadableEntry} */
  readonly pieces: AsyncIterable<Buffer>
}

const changed = 'its message was changed or deleted'

/**
 * Stores a file of the archive as one of the sender, who may be deactivated, and links to it: both, and that it is done, in one transaction.
 * @param open begins to read it
 * @throws {StorageFailure}; what `open` throws but for {LostFile} and {UnreadableEntry}, which the message then says
 */
export async function storeFile(ctx: Ctx, file: ImportFile, open: () => Promise<Arriving>): Promise<'stored' | 'lost'> {
  if (file.person !== null) return storePicture(ctx, file, open)
  const message = file.message_id === null ? undefined : await textOf(ctx.sql, file.message_id)
  if (!message) return loseFile(ctx, file, changed)
  try {
    await storeFor(ctx, file, message.sender_id, await open())
    return 'stored'
  } catch (error) {
    const why = lossOf(error)
    if (why === undefined) throw error
    return loseFile(ctx, file, why)
  }
}

/** The same for the picture of a person. */
async function storePicture(ctx: Ctx, file: ImportFile, open: () => Promise<Arriving>): Promise<'stored' | 'lost'> {
  try {
    await setPicture(ctx, file, await picturesBytes(await open()))
    return 'stored'
  } catch (error) {
    const why = error instanceof ApiError && error.code === 'BAD_IMAGE' ? 'it is no picture' : lossOf(error)
    if (why === undefined) throw error
    await ctx.sql.begin(tx => setLost(tx, file.id, why, file.line))
    return 'lost'
  }
}

/** Undefined: another attempt may succeed. */
function lossOf(error: unknown): string | undefined {
  if (error instanceof LostFile || error instanceof UnreadableEntry) return error.message
  if (error instanceof ApiError && error.code === 'REALM_UPLOAD_QUOTA') return 'the space for files is used up'
  return undefined
}

/** The messages say why. */
export async function loseFile(ctx: Ctx, file: ImportFile, why: string): Promise<'lost'> {
  await ctx.write(async (tx, emit, { after }) => {
    await holdMessages(ctx, tx, file)
    const line = lostLine(file.label || file.name, why)
    const isReplaced = await replaceLine(ctx, { tx, emit, after }, file, line)
    await setLost(tx, file.id, why, isReplaced ? line : file.line)
  })
  return 'lost'
}

const mib = 1024 * 1024

async function storeFor(ctx: Ctx, file: ImportFile, userId: number, { type, bytes, pieces }: Arriving): Promise<void> {
  const most = ctx.config.maxFileUploadMib * mib
  if (bytes > most) throw tooLarge(most)
  await whileReserved(ctx, userId, bytes || file.bytes, settle =>
    whileAnnounced(ctx, async announce => {
      const name = displayName(file.name)
      const pathId = await announce(name)
      const size = await ctx.storage.write(pathId, atMost(pieces, most))
      const content_type = contentTypeOf(type, name)
      const header = await headerOf(ctx, { userId, pathId, size, type: content_type })
      await ctx.write(async (tx, emit, { after }) => {
        const writing = { tx, emit, after }
        await holdMessages(ctx, tx, file)
        await settle(tx, size)
        const { id } = await insertStored(writing, { pathId, size, name, content_type, userId, header })
        if (!(await replaceLine(ctx, writing, file, storedLine(file.label || file.name, pathId))))
          throw new LostFile(changed)
        await setStored(tx, file.id, id)
      })
    }),
  )
}

async function* atMost(pieces: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > most) throw tooLarge(most)
    yield piece
  }
}

/** A picture as a whole. @throws {LostFile} */
export async function picturesBytes({ bytes, pieces }: Arriving): Promise<Buffer> {
  if (bytes > mostPictureBytes) throw tooLarge(mostPictureBytes)
  const whole: Buffer[] = []
  for await (const piece of atMost(pieces, mostPictureBytes)) whole.push(piece)
  return Buffer.concat(whole)
}

const tooLarge = (most: number) => new LostFile(`larger than ${most / mib} MiB, which files may have here`)
