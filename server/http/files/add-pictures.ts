import type { HttpResponse, HttpRequest as NativeRequest } from 'uWebSockets.js'
import { ApiError } from '../../../shared/errors.js'
import { pictureKey } from '../../actions/pictures/stored-picture.js'
import { type Header, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeWhole } from '../write-answer.js'
import { commonHeaders } from './file-headers.js'
import { FileRequest } from './file-request.js'
import { refuseFile } from './refuse-file.js'

const root = '/user_avatars/'
const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}
const picturePath = /^1\/(?:(?:realm\/)?[0-9a-f]{40}(?:-medium)?\.png|emoji\/images\/(?:still\/)?[0-9a-f]{40}\.[a-z]+)$/
// The bytes at a path never change.
const headers: readonly Header[] = [
  ...commonHeaders,
  ['Content-Security-Policy', "default-src 'none'; img-src 'self'"],
  ['Cache-Control', 'public, max-age=31536000, immutable'],
]

/** Serves pictures of people and of the organization to every caller that knows the address, since mails show them, too. */
export function addPictures(routes: NativeRoutes, connections: Connections): void {
  routes.any(`${root}*`, (res, req) => void answer(connections, res, req))
}

async function answer(connections: Connections, res: HttpResponse, req: NativeRequest): Promise<void> {
  const request = new FileRequest(connections, res, req)
  try {
    const picture = await pictureAt(connections, request)
    if (request.isGone) return
    const typed: Header[] = [...headers, ['Content-Type', picture.type]]
    writeWhole(res, 200, {
      headers: typed,
      body: picture.bytes,
      ending: { isHead: request.method === 'HEAD', closes: false },
    })
  } catch (thrown) {
    refuseFile(
      request,
      refusal(connections.ctx, thrown, { operation: 'picture', codec: 'json', named: connections.ids.named(request) }),
    )
  }
}

async function pictureAt({ ctx }: Connections, request: FileRequest): Promise<{ bytes: Buffer; type: string }> {
  if (!request.isRead) {
    throw new ApiError('METHOD_NOT_ALLOWED', 'A picture is read: GET or HEAD.', { allowed_methods: ['GET', 'HEAD'] })
  }
  const path = request.path?.slice(root.length) ?? ''
  const type = types[path.slice(path.lastIndexOf('.') + 1)]
  const bytes = picturePath.test(path) && type ? await ctx.storage.readWhole(pictureKey(path)) : undefined
  // Only who guesses addresses asks for many that lead nowhere.
  if (!bytes) request.charge(null)
  if (!bytes || !type) throw new ApiError('BAD_REQUEST', 'This picture does not exist.', {}, 404)
  return { bytes, type }
}
