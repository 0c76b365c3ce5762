import { markChannelRead as mark } from '../actions/channels/mark-channel-read.js'
import { markChannelRead as type } from '../job-types/mark-channel-read.js'
import { jobKind } from './job-kind.js'

/** Marks all messages of a channel as read for all subscribers, in steps; a repeated run finds what is left. */
export const markChannelRead = jobKind(type, { seconds: 600, run: (ctx, { channel }) => mark(ctx, channel) })
