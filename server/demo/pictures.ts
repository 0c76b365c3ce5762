import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newPathId } from '../actions/files/path-id.js'
import { whileReserved } from '../actions/files/reserve-space.js'
import { addFile } from '../actions/files/store-upload.js'
import type { Actor } from '../auth/actor.js'
import { projectRoot } from '../config/paths.js'
import type { Ctx } from '../ctx.js'
import { announceFile } from '../store/files/loose-files.js'

const typeOf = (name: string): string => (name.endsWith('.webp') ? 'image/webp' : 'image/png')

/** A file of `pictures/`, all drawn for this project. */
export const readPicture = (name: string): Promise<Buffer> =>
  readFile(join(projectRoot, 'server', 'demo', 'pictures', name))

/** Uploads a picture for the account. @returns Markdown that shows it in a message */
export async function uploadPicture(ctx: Ctx, actor: Actor, name: string): Promise<string> {
  const bytes = await readPicture(name)
  const pathId = newPathId(name)
  const { path_id } = await whileReserved(ctx, actor.user.id, bytes.length, async settle => {
    await announceFile(ctx.sql, pathId)
    const size = await ctx.storage.write(pathId, chunksOf(bytes))
    return addFile(ctx, actor, { pathId, size, name, type: typeOf(name) }, tx => settle(tx, size))
  })
  return `[${name}](/user_uploads/${path_id})`
}

async function* chunksOf(bytes: Buffer) {
  yield bytes
}
