import { countChannelTraffic } from '../store/channels/channel-traffic.js'
import { periodicKind } from './job-kind.js'

/** Counts the messages of channels, for the averages that lists of channels show. */
export const countTraffic = periodicKind('count-channel-traffic', '0 * * * *', {
  seconds: 600,
  run: ({ sql, clock }) => countChannelTraffic(sql, new Date(clock.now())),
})
