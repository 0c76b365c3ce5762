import { pruneWebsites } from '../store/files/websites.js'
import { periodicKind } from './job-kind.js'

/** Deletes what was kept of websites, when it has expired and beyond the bound. */
export const pruneKeptWebsites = periodicKind('prune-websites', '*/10 * * * *', {
  run: ({ sql }) => pruneWebsites(sql),
})
