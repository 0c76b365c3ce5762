import { ApiError } from '../../../shared/errors.js'
import { sessionTokenIn } from '../../auth/session-cookie.js'
import { isHttps } from '../../config/addresses.js'
import type { WorkerCtx } from '../../ctx.js'
import type { KnownSession } from '../../memory/accepted-sessions.js'
import { realmSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'
import { type PageLanguage, pageLanguage } from '../../text/page-language.js'
import { admitNow } from '../admission.js'
import { type Answer, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { requireOwnPage } from '../own-page.js'
import { writeWhole } from '../write-answer.js'
import { type PageAnswer, redirectTo } from './account-page.js'
import { PageRequest } from './page-request.js'
import { refusalPage } from './refusal-page.js'

/** What a page knows of a request. */
export interface PageCall {
  /** Changes that it makes are in the audit log under the name of the page. */
  readonly ctx: WorkerCtx
  readonly request: PageRequest
  readonly language: PageLanguage
  /** The organization's version when the request had arrived. */
  readonly since: number
  /** The parameters of the path, in order. */
  readonly values: readonly string[]
  /** The session of the browser; undefined: it is not signed in. */
  signedIn(): Promise<KnownSession | undefined>
  /** The account that the header Authorization names; null: it names none. @throws {ApiError} UNAUTHORIZED */
  keyHolder(): Promise<UserRow | null>
  /** The people of the demonstration, as which a program on this machine may enter. */
  readonly people: readonly UserRow[]
}

/** A page of sign-in or sign-up at one address. What its functions throw becomes a page as well. */
export interface AccountPage {
  /** `:name` matches one segment. The slash at the end may be left out. */
  readonly pattern: `/${string}`
  /** The name in the log and in the audit log. */
  readonly operation: string
  /** Absent: the page takes forms only. Must change nothing that a mail program may not change which looks whether a link exists. */
  get?(call: PageCall): Promise<PageAnswer> | PageAnswer
  /** The form was sent by a page of this server. */
  post?(call: PageCall, form: URLSearchParams): Promise<PageAnswer> | PageAnswer
  /** Whether forms may come from any program: they prove by themselves what they ask for, and nothing in them rests on a cookie. */
  readonly isForPrograms?: boolean
  /** Whether the page is there in a deactivated organization, too. */
  readonly isForDeactivated?: boolean
}

export const deactivatedPath = '/accounts/deactivated/'

/** Registers a page, with and without a slash at its end. */
export function addAccountPage(routes: NativeRoutes, connections: Connections, page: AccountPage): void {
  const pattern = page.pattern.replace(/\/$/, '')
  const parameters = pattern.split('/').filter(segment => segment.startsWith(':'))
  for (const one of [pattern, `${pattern}/`]) {
    routes.form(one, (res, req) => {
      const values = parameters.map((_, i) => req.getParameter(i) ?? '')
      void answer(connections, page, new PageRequest(connections, res, req), values)
    })
  }
}

async function answer(
  connections: Connections,
  page: AccountPage,
  request: PageRequest,
  values: readonly string[],
): Promise<void> {
  const { ctx, ids } = connections
  const named = ids.named(request)
  const language = pageLanguage(request.acceptLanguage, realmSetting(ctx.directory, 'default_language'))
  const origin = { userId: null, operation: page.operation, requestId: named.requestId, address: request.address }
  const own: WorkerCtx = { ...ctx, write: (work, trace) => ctx.write(work, trace, origin) }
  try {
    send(
      request,
      await answerOf(page, {
        ctx: own,
        request,
        language,
        values,
        signedIn: () => signedIn(connections, request),
        keyHolder: () => admitNow(connections, request),
        people: request.isLocal ? connections.people(ctx.directory) : [],
      }),
    )
  } catch (thrown) {
    const refused = refusal(ctx, thrown, { operation: page.operation, codec: 'json', named })
    send(request, wantsHtml(request) ? refusalPage(ctx, language, refused) : plain(refused))
  }
}

async function signedIn({ ctx, sessions }: Connections, request: PageRequest): Promise<KnownSession | undefined> {
  const token = sessionTokenIn(request.cookie, isHttps(ctx))
  try {
    return token === undefined ? undefined : await sessions.find(token, request.charges)
  } catch (thrown) {
    // A former session is none.
    if (thrown instanceof ApiError && thrown.code === 'UNAUTHORIZED') return undefined
    throw thrown
  }
}

async function answerOf(page: AccountPage, early: Omit<PageCall, 'since'>): Promise<PageAnswer> {
  const { ctx, request } = early
  // The whole body first: an answer before its end would break the connection.
  await request.arrived()
  request.charge(null)
  await ctx.directory.fresh()
  const call = { ...early, since: ctx.directory.organization.version }
  if (!ctx.directory.organization.is_active && !page.isForDeactivated) return redirectTo(deactivatedPath)
  if (request.isRead && page.get) return page.get(call)
  if (request.method !== 'POST' || !page.post) throw notAllowed(page)
  if (!page.isForPrograms) requireOwnPage(request, isHttps(ctx))
  return page.post(call, await request.form())
}

function notAllowed({ get, post }: AccountPage): ApiError {
  const allowed_methods = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])]
  return new ApiError('METHOD_NOT_ALLOWED', 'This page does not take this method.', { allowed_methods })
}

/** Programs get the refusal as JSON, with its code. */
const wantsHtml = ({ accept }: PageRequest): boolean => accept === '' || /\btext\/html\b/.test(accept)

const plain = ({ status, body, headers }: Answer): PageAnswer => ({
  status,
  headers: [...headers, ['Content-Type', 'application/json'], ['Cache-Control', 'no-store']],
  body: body as string,
})

function send(request: PageRequest, { status, headers, body }: PageAnswer): void {
  if (request.isGone) return
  request.isGone = true
  writeWhole(request.res, status, {
    headers,
    body,
    ending: { isHead: request.method === 'HEAD', closes: request.closes },
  })
}
