import { ApiError, badRequest } from '../../../shared/errors.js'
import { ownPath } from './own-path.js'

/** What a sign-in, or a sign-up, is for; it is carried through all pages of a sign-in. */
export interface SignInGoal {
  /** The path of this server where a browser goes on. */
  readonly next: string
  /** The key of an invitation link that led here. */
  readonly linkKey?: string | undefined
  /** The one-time pad of an app: 64 hexadecimal digits. */
  readonly pad?: { readonly app: 'mobile' | 'desktop'; readonly key: string } | undefined
}

// A signed cookie has room for no more.
const longestNext = 1000
const padPattern = /^[0-9a-f]{64}$/i
const keyPattern = /^[a-z2-7]{24}$/

/** What the query of a page, or its form, says of the goal. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export function goalOf(fields: URLSearchParams): SignInGoal {
  const next = ownPath(fields.get('next'))
  const linkKey = fields.get('multiuse_object_key') || undefined
  if (linkKey !== undefined && !keyPattern.test(linkKey)) {
    throw new ApiError('NOT_FOUND', 'There is no such invitation link.')
  }
  return { next: next.length > longestNext ? '/' : next, linkKey, pad: padOf(fields) }
}

function padOf(fields: URLSearchParams): SignInGoal['pad'] {
  const given = (['mobile', 'desktop'] as const).flatMap(app => {
    const keys = fields.getAll(`${app}_flow_otp`)
    return keys.map(key => ({ app, key }))
  })
  const [pad, ...more] = given
  if (!pad) return undefined
  if (more.length > 0) throw badRequest('Only one app can wait for a sign-in.')
  if (!padPattern.test(pad.key)) throw badRequest('The one-time pad is not 64 hexadecimal digits.')
  return { app: pad.app, key: pad.key.toLowerCase() }
}

/** The goal as a query, for links from one page to the next. */
export function goalQuery({ next, linkKey, pad }: SignInGoal): URLSearchParams {
  return new URLSearchParams({
    ...(next !== '/' && { next }),
    ...(linkKey !== undefined && { multiuse_object_key: linkKey }),
    ...(pad && { [`${pad.app}_flow_otp`]: pad.key }),
  })
}

/** A path of this server with the goal in its query. `more`: further parameters. */
export function atPath(path: string, goal: SignInGoal, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams([...Object.entries(more), ...goalQuery(goal)]).toString()
  return query === '' ? path : `${path}?${query}`
}

/** A goal as values of a signed cookie. */
export type GoalValues = [next: string, linkKey: string, app: '' | 'mobile' | 'desktop', key: string]

export const goalValues = ({ next, linkKey = '', pad }: SignInGoal): GoalValues => [
  next,
  linkKey,
  pad?.app ?? '',
  pad?.key ?? '',
]

export const goalFrom = ([next, linkKey, app, key]: GoalValues): SignInGoal => ({
  next,
  linkKey: linkKey || undefined,
  pad: app === '' ? undefined : { app, key },
})
