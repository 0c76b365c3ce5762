import type { LoadRequest } from './request-protocol.js'
import type { Somebody } from './seeded.js'

/** A request of an account. */
export const asks = (
  method: LoadRequest['method'],
  path: string,
  { email, api_key }: Somebody,
  params: LoadRequest['params'] = {},
): LoadRequest => ({ method, path, params, email, api_key })
