import { serverVersion } from '../../shared/limits.js'
import type { Config } from '../config.js'

/** How requests to servers of bots name their sender; `what` they are, such as `Events`. */
export const userAgentOf = ({ wireBrand }: Pick<Config, 'wireBrand'>, what: string): string =>
  `${wireBrand.charAt(0).toUpperCase()}${wireBrand.slice(1)}${what}/${serverVersion}`
