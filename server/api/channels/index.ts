import type { Route } from '../route.js'
import { archiveStream } from './archive-stream.js'
import { createChannel } from './create-channel.js'
import { getStream } from './get-stream.js'
import { getStreamEmailAddress } from './get-stream-email-address.js'
import { getStreamId } from './get-stream-id.js'
import { getStreams } from './get-streams.js'
import { getSubscribers } from './get-subscribers.js'
import { getSubscriptionStatus } from './get-subscription-status.js'
import { getSubscriptions } from './get-subscriptions.js'
import { getTopics } from './get-topics.js'
import { getUserChannels } from './get-user-channels.js'
import { postSubscriptionSetting } from './post-subscription-setting.js'
import { renewStreamEmailAddress } from './renew-stream-email-address.js'
import { subscribe } from './subscribe.js'
import { unsubscribe } from './unsubscribe.js'
import { updateStream } from './update-stream.js'
import { updateSubscriptionSetting } from './update-subscription-setting.js'
import { updateSubscriptionSettings } from './update-subscription-settings.js'
import { updateSubscriptions } from './update-subscriptions.js'

export const channelsRoutes: readonly Route[] = [
  subscribe,
  createChannel,
  unsubscribe,
  updateSubscriptions,
  getSubscriptions,
  updateSubscriptionSettings,
  updateSubscriptionSetting,
  postSubscriptionSetting,
  getStreams,
  getStream,
  updateStream,
  archiveStream,
  getStreamId,
  getStreamEmailAddress,
  renewStreamEmailAddress,
  getSubscribers,
  getSubscriptionStatus,
  getUserChannels,
  getTopics,
]
