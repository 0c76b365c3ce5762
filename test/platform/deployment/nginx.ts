import type { Test } from 'tap'
import { type RunningNginx, startNginx } from '../../support/nginx.js'
import { dataDirectory } from '../places.js'

export { missing, runNginx } from '../../support/nginx.js'

/** nginx with the documented configuration, for one test; see `startNginx`. */
export const startProxy = (t: Test, servers: readonly [string, string?], files?: string): Promise<RunningNginx> =>
  startNginx(t, dataDirectory(t), servers, files)
