import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { ApiError } from '../../shared/errors.js'
import { mostPassedOn } from '../api/route.js'
import type { WorkerCtx } from '../ctx.js'
import { CallerCharges } from '../limits/caller-charges.js'
import { mayAccessUser } from '../lookups/known-users.js'
import { requireSpectatorAccess } from '../policies/spectators.js'
import { deliveryEmailFor, seesAllUsers } from '../policies/users.js'
import { apiEmail } from '../presenters/addresses.js'
import { avatarUrl, unknownAvatar } from '../presenters/avatars.js'
import type { UserRow } from '../store/users/users.js'
import { admit } from './admission.js'
import { type Answer, refusal } from './answer.js'
import type { Connections } from './connections.js'
import type { NativeRoutes } from './native-routes.js'
import { writeAnswer } from './write-answer.js'

/** What is read of a native request before it is freed. */
interface AvatarRequest {
  readonly userId: string
  readonly isMedium: boolean
  readonly query: string
  readonly authorization: string
}

/**
 * Serves `/avatar/{user_id}` and `/avatar/{user_id}/medium`, which lead to the user's picture. They are not operations: clients use them as
 * addresses of pictures (docs/protocol/conventions.md#users).
 */
export function addAvatarRedirects(routes: NativeRoutes, connections: Connections): void {
  routes.any('/avatar/:user_id', (res, req) => void answer(connections, res, req, false))
  routes.any('/avatar/:user_id/medium', (res, req) => void answer(connections, res, req, true))
}

async function answer(connections: Connections, res: HttpResponse, req: HttpRequest, isMedium: boolean): Promise<void> {
  const { ctx, addresses, limits, cors, head, ids } = connections
  const method = req.getCaseSensitiveMethod()
  const isRead = method === 'GET' || method === 'HEAD'
  const address = addresses.of(res, addresses.isForwarded(res) ? req.getHeader('x-forwarded-for') : '')
  const asked = {
    userId: req.getParameter('user_id') ?? '',
    isMedium,
    query: req.getQuery() ?? '',
    authorization: req.getHeader('authorization'),
  }
  const manner = { isHead: method === 'HEAD', closes: false, further: cors.headers(req.getHeader('origin')), head }
  let isGone = false
  res.onAborted(() => {
    isGone = true
  })
  let found: Answer
  try {
    if (!isRead) throw wrongMethod()
    const location = await pictureOf(connections, asked, new CallerCharges(limits, { address }))
    // Every viewer may be led elsewhere, and the picture changes.
    const headers = [['Location', location] as const, ['Cache-Control', 'private, no-cache'] as const]
    found = { status: 302, body: '', headers }
  } catch (thrown) {
    found = refusal(ctx, thrown, { operation: 'avatar', codec: 'json', named: ids.named({ address }) })
  }
  if (!isGone) res.cork(() => writeAnswer(res, found, manner))
}

const wrongMethod = () =>
  new ApiError('METHOD_NOT_ALLOWED', 'This path is read: GET or HEAD.', { allowed_methods: ['GET', 'HEAD'] })

/** The address of the picture. @throws {ApiError} UNAUTHORIZED, RATE_LIMIT_HIT */
async function pictureOf(
  { ctx, keys }: Connections,
  { userId, isMedium, query, authorization }: AvatarRequest,
  charges: CallerCharges,
): Promise<string> {
  const viewer = await admit(keys, {
    identify: () => (authorization === '' ? null : keys.fromHeader(authorization, charges)),
    charge(user) {
      // A page shows the pictures of many accounts at once. Only what may cost a statement is counted.
      if (!user || !seesAllUsers(ctx.directory, user)) charges.charge(user?.id)
    },
  })
  if (!viewer) {
    await ctx.directory.fresh()
    requireSpectatorAccess(ctx.directory, null)
  }
  const url = await visiblePicture(ctx, viewer, userId, isMedium)
  // The caller's credentials must not reach another host.
  const passed = query.split('&').filter(part => part !== '' && !part.startsWith('api_key='))
  const whole = [url, ...passed].join('&')
  return whole.length - url.length > mostPassedOn ? url : whole
}

async function visiblePicture(
  ctx: WorkerCtx,
  viewer: UserRow | null,
  userId: string,
  isMedium: boolean,
): Promise<string> {
  const { directory, sql, publicUrl, realmHost } = ctx
  const user = /^\d{1,10}$/.test(userId) ? directory.users.get(Number(userId)) : undefined
  if (!user || !(await mayAccessUser(sql, directory, viewer, user))) return unknownAvatar(publicUrl, isMedium)
  return avatarUrl(
    user,
    deliveryEmailFor(viewer, user) ?? apiEmail(user, realmHost, viewer === null),
    publicUrl,
    isMedium,
  )
}
