import { showGrowth as show } from '../actions/messages/show-growth.js'
import { showGrowth as type } from '../job-types/streamed-message.js'
import { standingKind } from './job-kind.js'

/** Shows messages that grow to readers who get no pieces. After the death of a worker, the next piece or the end shows what it had not. */
export const showGrowth = standingKind(type, {
  seconds: 60,
  run: (ctx, _, { signal }) => show(ctx, signal),
})
