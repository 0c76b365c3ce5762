import { rebuildSearch } from '../actions/messages/rebuild-search.js'
import { periodicKind } from './job-kind.js'

/** Makes the words of messages that an older program, an import or a restore has stored, and adds those of files and of acts on widgets. */
export const rebuildSearchKind = periodicKind('rebuild-search', '* * * * *', {
  seconds: 3600,
  run: (ctx, _, { signal }) => rebuildSearch(ctx, signal),
})
