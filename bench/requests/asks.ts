import type { LoadRequest } from './protocol.js'
import type { SeededUser } from './seeded.js'

/** A request of an account. */
export const asks = (
  method: LoadRequest['method'],
  path: string,
  { email, api_key }: SeededUser,
  params: LoadRequest['params'] = {},
): LoadRequest => ({ method, path, params, email, api_key })
