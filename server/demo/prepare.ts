import type { Config } from '../config.js'
import type { Log } from '../log.js'

/** Gives an empty database its organization; the supervisor calls it before any worker runs. */
export async function prepareOrganization(_config: Config, _log: Log): Promise<void> {}
