/**
 * Encoding: what an event is, as bytes. From an emission to the packed entry that the outbox and the feed hold, and from an entry to the
 * frames and answers that clients get.
 *
 * Guarantees: an entry is decoded once per worker, and encoded once for each wire form and group of users (I4); frames with the same
 * events share their bytes; a fault in one event type is logged and stops nothing.
 * Needs: the event definitions of shared/events.
 */

export { encodeAudience } from './audience.js'
export { Defs } from './defs.js'
export { Encoded } from './encoded.js'
export { encodedFor, type Reading } from './encodings.js'
export { Entry, encodeEmission, encodeInternal, type RawEntry, widthOf } from './entry.js'
export { emptyFrame, FrameNode, maxFrameBytes } from './frames.js'
export { VarintReader, VarintWriter } from './varint.js'
export { SharedView, Views } from './views.js'
